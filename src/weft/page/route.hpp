// Describes a path under /api: one Route in one file of routes/, found by the build.
//
// The file why.cpp ends with `const Route& why_route() {…}`; CMake writes the table of routes from
// the file names, so there is no list to edit. An answer is the JSON that `--json` prints.
#pragma once

#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "weft/mcp/protocol/parameter.hpp"
#include "weft/net/http_response.hpp"
#include "weft/net/rights.hpp"
#include "weft/page/file_cache.hpp"
#include "weft/page/name_cache.hpp"
#include "weft/page/page_context.hpp"
#include "weft/query/library.hpp"

namespace weft::page {

// One request to a route. Lives as long as it is answered; used by one thread.
struct Asking {
  const PageContext& context;
  const query::Library& library;  // one state of the store for the whole answer
  const json::object& arguments;  // of the URL's query: checked, with defaults filled in
  const std::string& name;        // the part of the path that the route leaves open
  NameCache& names;               // of all conversations
  FileCache& files;               // whose lines were blamed
  std::stop_token stop{};         // nobody waits for the answer any more

  // What `name` names: a CID, a part of one, a session id. not_found, invalid_input.
  Result<store::ConversationRow> conversation() const;
  Result<Cid> thought() const;
  // The time that an argument names; empty if it is not given. invalid_input.
  Result<std::optional<Millis>> moment(std::string_view argument, Bound bound) const;
};

struct Route {
  // At most one part is left open: "/api/thoughts/{cid}/why".
  std::string_view path;
  std::vector<mcp::Parameter> parameters{};
  // JSON Schema of the answer, or the MCP tool whose answer it is.
  std::string_view output_schema{};
  std::string_view tool{};
  // Slow routes have a few threads of their own, so that quick ones need not wait for them.
  enum class Pace { quick, slow } pace = Pace::quick;
  net::Right right = net::Right::read;  // what who asks must be allowed to
  // The answer is checked byte by byte: nothing in it is masked but what the library masks.
  bool is_exact = false;
  // One of the two: the answer, or a response that is no JSON.
  Result<json::object> (*answer)(const Asking& asking) = nullptr;
  Result<net::HttpResponse> (*respond)(const Asking& asking) = nullptr;
};

// Every route of the build, by name.
std::span<const Route* const> all_routes();

// The schema of a route's answer; empty if it is no JSON.
std::string_view schema_of(const Route& route);

// {routes: [{path, parameters, answer}]}: the parameters of each as JSON Schema, and its answer.
json::object describe_routes();

}  // namespace weft::page

// Answers the methods of the protocol. Requests are already checked for their era.
#pragma once

#include <string_view>

#include "weft/mcp/protocol/features.hpp"

namespace weft::mcp {

// What a connection can do beyond request and answer.
struct Abilities {
  bool notifies = false;  // whether unsolicited notifications reach the client
};

// Results of the legacy era are returned as they are; those of the modern era carry their type and
// how long they may be cached.
class Methods {
 public:
  // `features` outlives it.
  explicit Methods(const Features& features) : features_(features) {}

  bool knows(std::string_view method, Era era) const;
  // The tool that a request calls; null if it calls none, or one that does not exist.
  const Tool* find_called_tool(std::string_view method, const json::object& params) const;
  // Answers a request; `tool` is its find_called_tool(). method_not_found for unknown methods, and
  // for those that the server itself answers (initialize, ping, subscriptions).
  Served<> answer(std::string_view method, const Tool* tool, Call& call) const;

  Served<> initialize(const json::object& params, const Abilities& abilities) const;
  // {name, title, version}
  json::object server_info() const;
  // Adds the members that every modern result carries.
  json::object finished(json::object result) const;

 private:
  Served<> discover() const;
  Served<> list_tools(const json::object& params) const;
  Served<> call_tool(const Tool* tool, Call& call) const;
  Served<> list_prompts(const json::object& params) const;
  Served<> get_prompt(Call& call) const;
  Served<> list_resources(Call& call) const;
  Served<> list_templates(const json::object& params) const;
  Served<> read_resource(Call& call) const;
  Served<> complete(Call& call) const;
  json::object capabilities(Era era, const Abilities& abilities) const;
  void prepare(Call& call) const;

  const Features& features_;
};

}  // namespace weft::mcp

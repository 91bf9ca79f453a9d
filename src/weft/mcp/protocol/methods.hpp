// What each method of the protocol answers. Requests come checked for their era.
#pragma once

#include <string_view>

#include "weft/mcp/protocol/features.hpp"

namespace weft::mcp {

// What a connection can do beyond request and answer.
struct Abilities {
  bool notifies = false;  // whether what no request asked for reaches the client
};

// Results of the legacy era are as they stand; those of the modern era say what they are, and
// how long they hold.
class Methods {
 public:
  // `features` outlives it.
  explicit Methods(const Features& features) : features_(features) {}

  bool knows(std::string_view method, Era era) const;
  // Whether the threads for slow things are to serve it.
  bool is_slow(std::string_view method, const json::object& params) const;
  // method_not_found for what it does not know, and for what the server itself answers
  // (initialize, ping, subscriptions).
  Served<> answer(std::string_view method, Call& call) const;

  Served<> initialize(const json::object& params, const Abilities& abilities) const;
  // {name, title, version}
  json::object server_info() const;
  // With what every modern result carries.
  json::object finished(json::object result) const;

  const Tool* find_tool(std::string_view name) const;

 private:
  Served<> discover() const;
  Served<> list_tools(const json::object& params) const;
  Served<> call_tool(Call& call) const;
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

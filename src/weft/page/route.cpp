#include "weft/page/route.hpp"

#include <algorithm>

#include "weft/base/typed/moment.hpp"
#include "weft/mcp/protocol/tool.hpp"

namespace weft::page {

Result<store::ConversationRow> Asking::conversation() const {
  return query::resolve_conversation(library, name);
}

Result<Cid> Asking::thought() const { return query::resolve_thought(library, name); }

Result<std::optional<Millis>> Asking::moment(std::string_view argument, Bound bound) const {
  const auto text = mcp::find_text_in(arguments, argument);
  if (!text || text->empty()) return std::nullopt;
  const auto moment = parse_moment(*text, bound, machine_clock());
  if (!moment) {
    return fail(ErrorCode::invalid_input, std::string(argument) + ": " + not_a_moment(*text));
  }
  return moment;
}

std::string_view schema_of(const Route& route) {
  if (route.tool.empty()) return route.output_schema;
  const auto tools = mcp::all_tools();
  const auto tool = std::ranges::find(tools, route.tool, &mcp::Tool::name);
  return tool == tools.end() ? std::string_view() : (*tool)->output_schema;
}

json::object describe_routes() {
  json::array routes;
  for (const Route* route : all_routes()) {
    json::object described{{"path", json::string(route->path)},
                           {"parameters", mcp::to_schema(route->parameters)}};
    if (const std::string_view schema = schema_of(*route); !schema.empty()) {
      if (auto parsed = parse_json(schema)) described["answer"] = std::move(parsed->value);
    }
    routes.push_back(std::move(described));
  }
  return {{"routes", std::move(routes)}};
}

}  // namespace weft::page

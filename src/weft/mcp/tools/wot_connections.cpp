// wot_connections: lists the connections of a thought.
#include <fmt/format.h>

#include "weft/base/figures.hpp"
#include "weft/mcp/answers/argument_lookup.hpp"
#include "weft/mcp/answers/paging.hpp"
#include "weft/mcp/answers/rendering.hpp"
#include "weft/mcp/answers/server_context.hpp"
#include "weft/mcp/answers/shared_parameters.hpp"
#include "weft/mcp/protocol/tool.hpp"
#include "weft/query/questions.hpp"

namespace weft::mcp {
namespace {

// "response 3f2a91c0b1d2" and its first words, for the other end of a connection.
void append_end(std::string& out, const query::Library& library, std::string_view cid) {
  const Result<Cid> parsed = Cid::parse(cid);
  const Result<json::object> thought =
      parsed ? query::get(library, *parsed, query::Layers::open)
             : Result<json::object>(fail(ErrorCode::not_found, "no such thought"));
  if (!thought) {
    out += fmt::format("{} (not stored here)\n", query::brief(cid));
    return;
  }
  out += fmt::format("{} {}: {}\n", query::kind_of(*thought), query::brief(cid),
                     in_quotes(query::summary_line(*thought)));
}

std::string render(const json::object& answer, const json::object& arguments,
                   const query::Library& library, const Cid& here) {
  const json::array& connections = list_in(answer, "connections");
  const bool is_part = find_member(answer, "total") != nullptr;
  std::string out = fmt::format("Connections of {}: ", here.brief());
  out += is_part ? span_of(whole_in(arguments, "offset"), connections.size(),
                           count_or_zero(answer, "total"))
                 : count(connections.size());
  out += '\n';
  if (find_member(answer, "next_offset") != nullptr) {
    json::object next = arguments;
    next["offset"] = count_or_zero(answer, "next_offset");
    out += "More: " + call_of("wot_connections", next) + "\n";
  }
  for (const json::value& value : connections) {
    const json::object& edge = value.as_object();
    const bool is_from = find_string(edge, "from") == here.str();
    const std::string relation = text_or(edge, "relation", "?");
    out += is_from ? fmt::format("- it {} ", relation) : "- ";
    if (is_from) {
      append_end(out, library, find_string(edge, "to").value_or(""));
      out.pop_back();
    } else {
      append_end(out, library, find_string(edge, "from").value_or(""));
      out.pop_back();
      out += fmt::format(" {} it", relation);
    }
    if (const auto label = find_string(edge, "label")) out += ", " + in_quotes(*label);
    if (find_member(edge, "index") != nullptr && edge.at("index").is_number()) {
      out += fmt::format(", at {}", count_or_zero(edge, "index"));
    }
    out += foreign_mark(edge);
    out += '\n';
  }
  return out;
}

store::Direction direction_of(const std::string& name) {
  if (name == "from") return store::Direction::from;
  return name == "to" ? store::Direction::to : store::Direction::both;
}

// The requested page.
void take_page(const Call& call, json::object& answer) {
  json::array& connections = answer.at("connections").as_array();
  const std::size_t total = connections.size();
  const std::size_t begin = std::min<std::uint64_t>(whole_in(call.arguments(), "offset"), total);
  const std::size_t end =
      begin + std::min<std::uint64_t>(whole_in(call.arguments(), "limit"), total - begin);
  connections.erase(connections.begin() + static_cast<std::ptrdiff_t>(end), connections.end());
  connections.erase(connections.begin(), connections.begin() + static_cast<std::ptrdiff_t>(begin));
  leave_out(answer, "connections", room_in(call));
  const std::size_t shown = answer.at("connections").as_array().size();
  if (shown < total) answer["total"] = total;
  if (begin + shown < total) answer["next_offset"] = begin + shown;
}

Served<> connections(Call& call) {
  const json::object& arguments = call.arguments();
  Named<Cid> cid = thought_named(call, "cid");
  if (!cid) return std::move(cid).error();
  const query::Library& library = call.library();
  Result<json::object> answer =
      query::connections(library, *cid, find_text_in(arguments, "relation"),
                         direction_of(text_in(arguments, "direction")));
  if (!answer) return no_answer(call, answer.error());
  take_page(call, *answer);
  return tool_result(call, *std::move(answer), [&](const json::object& structured) {
    return render(structured, arguments, library, *cid);
  });
}

}  // namespace

const Tool& wot_connections_tool() {
  static const Tool tool = {
      .name = "wot_connections",
      .title = "Connections",
      .description =
          R"(Lists the connections of a thought: contains (conversation to turn, turn to block), sequence (reasoning to its continuation), causes, rework (summary to thinking), request_attention (call to tool), uses_input, spawns (call to subagent), continues (fork to origin), supersedes. Use it for the turn of a block (contains, to) or the subagent of a call (spawns, from).)",
      .parameters =
          {{.name = "cid", .description = kThoughtName, .is_required = true, .longest = 200},
           {.name = "relation", .longest = 200},
           {.name = "direction", .one_of = {"from", "to", "both"}, .preset_text = "both"},
           limit_of(100, 10'000),
           offset_of(),
           max_chars()},
      .example = R"({"cid": "3f2a91c0b1d2", "relation": "causes"})",
      .output_schema = R"({"type": "object", "properties": {
  "connections": {"type": "array", "items": {"type": "object", "properties": {
    "cid": {"type": "string"}, "relation": {"type": "string"}, "from": {"type": "string"},
    "to": {"type": "string"}, "label": {"type": ["string", "null"]},
    "index": {"type": ["integer", "null"]}, "created_by": {"type": "string"},
    "created_at": {"type": "integer", "description": "ms since 1970"}},
    "required": ["cid", "relation", "from", "to", "created_by", "created_at"]}},
  "total": {"type": "integer", "description": "number of connections, if not all are returned"},
  "next_offset": {"type": "integer", "description": "of the next page, if there is one"}},
  "required": ["connections"]})",
      .call = connections,
  };
  return tool;
}

}  // namespace weft::mcp

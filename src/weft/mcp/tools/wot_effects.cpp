// wot_effects: traces what came of a thought, and what of it stands in the code.
#include <fmt/format.h>

#include "weft/base/typed/moment.hpp"
#include "weft/mcp/answers/paging.hpp"
#include "weft/mcp/answers/rendering.hpp"
#include "weft/mcp/answers/trace_tool.hpp"
#include "weft/query/commits/changes.hpp"

namespace weft::mcp {
namespace {

// Each list of the changes may take as much of the answer as the others.
constexpr std::uint64_t kLists = 3;

Status add_changes(Call& call, const Cid& cid, json::object& answer) {
  if (!find_bool(call.arguments(), "changes").value_or(false)) return {};
  Result<json::object> changes = query::changes(
      call.library(), cid, {.now = machine_clock().now, .control = {.stop = call.stop()}});
  if (!changes) return fail(std::move(changes).error());
  bool is_cut = false;
  for (const std::string_view list : {"edits", "commits", "lines"}) {
    if (leave_out(*changes, list, room_in(call) / kLists)) is_cut = true;
  }
  if (is_cut) (*changes)["truncated"] = true;
  answer["changes"] = *std::move(changes);
  return {};
}

void render_changes(const json::object& answer, std::string& out) {
  const json::object* changes = find_object(answer, "changes");
  if (changes == nullptr) return;
  out += "\n\nEdits:\n";
  for (const json::value& value : list_in(*changes, "edits")) {
    const json::object& edit = value.get_object();
    out += fmt::format("{} {} by {}", text_or(edit, "kind", "?"), text_or(edit, "path", "?"),
                       text_or(edit, "request_cid", "?"));
    out += "\n";
  }
  out += "Commits that hold them:\n";
  for (const json::value& value : list_in(*changes, "commits")) {
    const json::object& commit = value.get_object();
    out += fmt::format("{} \"{}\"\n", text_or(commit, "sha", "?"), text_or(commit, "subject", ""));
  }
  out += fmt::format("Lines that stand today: {}\n", count_or_zero(*changes, "alive"));
  for (const json::value& value : list_in(*changes, "lines")) {
    const json::object& line = value.get_object();
    out += fmt::format("{}:{}-{} {} ({}) by {}\n", text_or(line, "path", "?"),
                       count_or_zero(line, "first"), count_or_zero(line, "last"),
                       text_or(line, "rule", "?"), text_or(line, "sure", "?"),
                       text_or(line, "request_cid", "?"));
  }
}

Served<> effects(Call& call) {
  return answer_trace(call, {.tool = "wot_effects",
                             .found = "effects",
                             .way = "steps forward",
                             .ask = query::effects_answer,
                             .extend = add_changes,
                             .render_more = render_changes});
}

std::vector<Parameter> effects_parameters() {
  std::vector<Parameter> parameters = trace_parameters("Steps; all by default.");
  parameters.push_back({.name = "changes", .kind = Parameter::Kind::flag});
  return parameters;
}

// The schema of a trace, and what `changes` adds.
std::string effects_schema() {
  constexpr std::string_view kChanges = R"("changes": {"type": "object", "properties": {
    "edits": {"type": "array", "items": {"type": "object", "properties": {
      "request_cid": {"type": "string"}, "result_cid": {"type": "string"},
      "conversation_cid": {"type": "string"}, "time": {"type": "integer"},
      "kind": {"type": "string"}, "path": {"type": "string"}, "moved_from": {"type": "string"},
      "repository": {"type": "string"},
      "file": {"type": "string", "description": "its name today below repository; gone without"},
      "commits": {"type": "array", "items": {"type": "string"}}},
      "required": ["request_cid", "conversation_cid", "time", "kind", "path"]}},
    "commits": {"type": "array", "items": {"type": "object", "properties": {
      "repository": {"type": "string"}, "sha": {"type": "string"}, "subject": {"type": "string"},
      "author": {"type": "string"}, "author_time": {"type": "integer"},
      "patch_id": {"type": "string"}},
      "required": ["repository", "sha", "subject", "author", "author_time"]}},
    "lines": {"type": "array", "items": {"type": "object", "properties": {
      "repository": {"type": "string"}, "path": {"type": "string"}, "first": {"type": "integer"},
      "last": {"type": "integer"}, "commit": {"type": "string"}, "rule": {"type": "string"},
      "sure": {"type": "string"}, "request_cid": {"type": "string"}},
      "required": ["path", "first", "last", "rule", "sure", "request_cid"]}},
    "alive": {"type": "integer"}, "weak": {"type": "integer"}, "truncated": {"type": "boolean"},
    "notes": {"type": "array", "items": {"type": "string"}}},
    "required": ["edits", "commits", "lines", "alive", "weak"]},
  )";
  constexpr std::string_view kBefore = R"("thoughts":)";
  std::string schema(kTraceSchema);
  return schema.insert(schema.find(kBefore), kChanges);
}

}  // namespace

const Tool& wot_effects_tool() {
  static const std::string schema = effects_schema();
  static const Tool tool = {
      .name = "wot_effects",
      .title = "Effects of a thought",
      .description =
          "What came of a thought, breadth first; opposite of wot_walk_because. `changes` adds "
          "edits, commits, lines.",
      .parameters = effects_parameters(),
      .example = R"({"cid": "3f2a91c0b1d2", "depth": 2})",
      .output_schema = schema,
      .pace = Tool::Pace::slow,
      .call = effects,
  };
  return tool;
}

}  // namespace weft::mcp

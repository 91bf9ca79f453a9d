#include "weft/thought/schema.hpp"

#include <initializer_list>

namespace weft::thought {
namespace {

// These texts are hashed into every web: a change makes new schema thoughts beside the
// old ones, so they change only when what they describe does.

struct KindRow {
  std::string_view kind, says, clear, metadata, content;
};

constexpr KindRow kKinds[] = {
    {"conversation", "a conversation; holds only what never changes", "format session_id source",
     "", ""},
    {"conversation_facts", "what changes while a conversation grows; the newest counts",
     "title summary project cwd git_branch models account tools tool_definitions usage updated_at",
     "", ""},
    {"turn", "a run of blocks of one role", "conversation role sequence source_id parent", "", ""},
    {"thinking", "reasoning of a model", "", "duration_ms cut_off chars withheld",
     "reasoning signature extra"},
    {"thinking_summary", "a rework of a thinking: most of it deliberately destroyed", "",
     "summaries", ""},
    {"redacted_thinking", "reasoning that the provider encrypted", "", "chars", "data extra"},
    {"response", "text of a model, shown to the person", "text duration_ms extra", "", ""},
    {"tool_request", "a model asks a tool to act",
     "tool_name tool_use_id input description display_text extra", "", ""},
    {"tool_result", "what a tool answered",
     "tool_name result_text is_error uuid parts details extra", "", ""},
    {"human_input", "words of a person", "text extra", "", ""},
    {"system_input", "words that a program put in", "text extra", "", ""},
    {"citation", "a source that a response leans on", "url title text indices", "", ""},
    {"attachment", "a file or image beside the words",
     "kind name mime text data reference size extra", "", ""},
    {"compaction", "the summary that took the place of what came before it", "summary extra", "",
     ""},
    {"summary", "a session's own summary or title", "text", "", ""},
    {"failure", "an error of the provider", "text details", "", ""},
    {"unknown", "a block of a type not known when it was woven, kept whole", "", "block_type",
     "raw raw_text"},
};

struct RelationRow {
  std::string_view relation, from, to, says;
};

constexpr RelationRow kRelationRows[] = {
    {"contains", "conversation or turn", "turn or block", "holds at a position"},
    {"sequence", "thinking", "thinking", "goes on in"},
    {"causes", "thought", "thought", "led to"},
    {"rework", "thinking_summary", "thinking", "is a lossy rework of"},
    {"request_attention", "tool_request", "identity", "asks to act"},
    {"uses_input", "identity", "schema", "speaks through"},
    {"spawns", "tool_request", "conversation", "started"},
    {"continues", "conversation", "conversation", "was forked or resumed from"},
    {"supersedes", "block", "block", "restates, otherwise"},
    {"returns", "response", "tool_result or system_input", "was reported to the caller in"},
    {"summarizes", "summary", "conversation", "is a summary of"},
};

constexpr std::string_view kRelationNames[] = {
    "contains", "sequence",  "causes",     "rework",  "request_attention", "uses_input",
    "spawns",   "continues", "supersedes", "returns", "summarizes"};

json::array words(std::string_view text) {
  json::array out;
  while (!text.empty()) {
    const std::size_t blank = text.find(' ');
    out.emplace_back(text.substr(0, blank));
    text = blank == std::string_view::npos ? std::string_view() : text.substr(blank + 1);
  }
  return out;
}

std::string_view input_description(std::string_view name) {
  if (name == "input/human_chat") return "a person typing in a chat";
  if (name == "input/tool_execution") return "the environment in which a tool or program runs";
  if (name.ends_with("_thinking")) return "the reasoning process of a model";
  return "the output of a model";
}

}  // namespace

json::object conversation_schema(std::string_view family) {
  json::object kinds;
  for (const KindRow& row : kKinds) {
    json::object fields;
    if (!row.clear.empty()) fields["clear"] = words(row.clear);
    if (!row.metadata.empty()) fields["metadata"] = words(row.metadata);
    if (!row.content.empty()) fields["content"] = words(row.content);
    kinds[row.kind] = json::object{{"description", row.says}, {"fields", std::move(fields)}};
  }
  return {{"name", "schema/" + std::string(family) + "_conversation"},
          {"family", family},
          {"kinds", std::move(kinds)}};
}

json::object input_schema(std::string_view name) {
  return {{"name", name}, {"description", input_description(name)}};
}

json::object relation_schema(std::string_view relation) {
  for (const RelationRow& row : kRelationRows) {
    if (row.relation != relation) continue;
    return {{"name", "relation/" + std::string(relation)},
            {"from", row.from},
            {"to", row.to},
            {"description", row.says}};
  }
  return {{"name", "relation/" + std::string(relation)}};
}

std::span<const std::string_view> relations() { return kRelationNames; }

}  // namespace weft::thought

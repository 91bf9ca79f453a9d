#include "weft/store/outline/statement.hpp"

#include "weft/base/utf8.hpp"

namespace weft::store {
namespace {

std::optional<std::uint64_t> length_of(std::string_view kind, const json::object& members) {
  if (const auto chars = find_int(members, "chars"); chars && *chars >= 0) {
    return static_cast<std::uint64_t>(*chars);
  }
  std::optional<std::uint64_t> chars;
  const auto add = [&](std::string_view text) {
    chars = chars.value_or(0) + count_code_points(text);
  };
  for (const std::string_view name : {"text", "result_text", "summary", "reasoning", "raw_text"}) {
    if (const auto text = find_string(members, name)) add(*text);
  }
  if (const json::array* summaries = find_array(members, "summaries")) {
    for (const json::value& summary : *summaries) {
      if (summary.is_string()) add(view(summary.get_string()));
    }
  }
  const std::string_view structured = kind == "tool_request" ? "input" : "raw";
  if (const json::value* value = find_member(members, structured)) add(canonical_json(*value));
  return chars;
}

// Removes what `known` states already.
void subtract(StatedFacts& facts, const StatedFacts& known) {
  if (known.duration_ms) facts.duration_ms.reset();
  if (known.chars) facts.chars.reset();
  if (known.tool) facts.tool.reset();
  facts.is_error = facts.is_error && !known.is_error;
  facts.is_withheld = facts.is_withheld && !known.is_withheld;
}

}  // namespace

StatedFacts stated_facts(std::string_view kind, const json::object& members) {
  StatedFacts facts{.duration_ms = find_int(members, "duration_ms"),
                    .chars = length_of(kind, members),
                    .is_error = find_bool(members, "is_error").value_or(false),
                    .is_withheld = find_bool(members, "withheld").value_or(false)};
  if (const auto tool = find_string(members, "tool_name")) facts.tool = std::string(*tool);
  return facts;
}

void merge(StatedFacts& facts, const StatedFacts& other) {
  if (!facts.duration_ms) facts.duration_ms = other.duration_ms;
  if (!facts.chars) facts.chars = other.chars;
  if (!facts.tool) facts.tool = other.tool;
  facts.is_error = facts.is_error || other.is_error;
  facts.is_withheld = facts.is_withheld || other.is_withheld;
}

Statement statement_of(const thought::Thought& thought, const OpenLayers& layers) {
  const std::string_view kind = thought::kind_of(thought.type);
  Statement statement;
  statement.stated[0] = stated_facts(kind, thought.content);
  StatedFacts known = statement.stated[0];
  for (const Portion portion : {Portion::metadata, Portion::content}) {
    const bool is_metadata = portion == Portion::metadata;
    if (!(is_metadata ? thought.layers.metadata : thought.layers.content)) continue;
    const std::string& text = is_metadata ? layers.metadata : layers.content;
    const Result<ParsedJson> parsed = parse_json(text);
    if (!parsed || !parsed->value.is_object()) {
      statement.layer(portion) = LayerState::closed;
      continue;
    }
    statement.layer(portion) = LayerState::open;
    StatedFacts& facts = statement.stated[static_cast<std::size_t>(portion)];
    facts = stated_facts(kind, parsed->value.get_object());
    subtract(facts, known);
    merge(known, facts);
  }
  return statement;
}

}  // namespace weft::store

#include "weft/query/trace/reasoning_summary.hpp"

#include "weft/base/try.hpp"
#include "weft/query/ask/summary_line.hpp"
#include "weft/query/secrets/opened.hpp"
#include "weft/query/trace/joins.hpp"
#include "weft/thought/seal.hpp"

namespace weft::query {
namespace {

std::string text_of(const json::array& summaries) {
  std::string text;
  for (const json::value& summary : summaries) {
    if (!summary.is_string()) continue;
    text += (text.empty() ? "" : "\n\n") + std::string(view(summary.get_string()));
  }
  return text;
}

}  // namespace

bool is_unread_reasoning(const json::object& opened) {
  const std::string_view kind = kind_of(opened);
  if (kind == "redacted_thinking") return true;
  return kind == "thinking" && find_string(content_of(opened), "reasoning").value_or("").empty();
}

Result<std::optional<json::object>> find_summary(const Library& library, const Cid& thinking,
                                                 Foreigners& foreigners) {
  WEFT_TRY_VALUE(const auto summaries,
                 held_neighbours(library, thinking, "rework", store::Direction::to, foreigners));
  if (summaries.empty()) return std::nullopt;
  Result<thought::Thought> thought = library.web.get_without_path(summaries.back());
  if (!thought && thought.error().code == ErrorCode::not_found) return std::nullopt;
  if (!thought) return fail(std::move(thought).error());
  const json::object opened = open_json(library, *thought);
  const json::array* texts = find_array(content_of(opened), "summaries");
  std::string text = texts != nullptr ? text_of(*texts) : std::string();
  if (text.empty()) return std::nullopt;
  return json::object{{"cid", thought->cid.str()}, {"text", std::move(text)}};
}

Status add_summary(const Library& library, const thought::Thought& thought, json::object& opened,
                   Foreigners& foreigners) {
  if (!is_unread_reasoning(opened)) return {};
  WEFT_TRY_VALUE(auto summary, find_summary(library, thought.cid, foreigners));
  if (summary) opened["summary"] = *std::move(summary);
  return {};
}

}  // namespace weft::query

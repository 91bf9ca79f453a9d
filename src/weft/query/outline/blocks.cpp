#include <algorithm>

#include "weft/base/try.hpp"
#include "weft/base/utf8.hpp"
#include "weft/query/ask/behind.hpp"
#include "weft/query/ask/foreigners.hpp"
#include "weft/query/outline/outline_selection.hpp"
#include "weft/query/questions.hpp"
#include "weft/query/trace/reasoning_summary.hpp"
#include "weft/thought/seal.hpp"

namespace weft::query {
namespace {

std::string escaped(std::string_view key) {
  std::string out;
  for (const char c : key) {
    if (c == '~') out += "~0";
    else if (c == '/') out += "~1";
    else out += c;
  }
  return out;
}

// Cuts every text in `value`, and enters the full length of each under its JSON pointer.
void cut_texts(json::value& value, const std::string& pointer, std::uint64_t chars,
               json::object& lengths) {
  if (json::string* text = value.if_string()) {
    const std::string_view whole = view(*text);
    if (whole.size() <= chars) return;  // a character has at least a byte
    const std::string_view kept = slice_code_points(whole, 0, chars);
    if (kept.size() == whole.size()) return;
    lengths[pointer] = count_code_points(whole);
    text->resize(kept.size());
  } else if (json::array* array = value.if_array()) {
    for (std::size_t i = 0; i < array->size(); ++i) {
      cut_texts((*array)[i], pointer + "/" + std::to_string(i), chars, lengths);
    }
  } else if (json::object* object = value.if_object()) {
    for (auto& member : *object) {
      cut_texts(member.value(), pointer + "/" + escaped(member.key()), chars, lengths);
    }
  }
}

}  // namespace

Result<json::object> blocks(const Library& library, const store::ConversationRow& conversation,
                            const BlocksOptions& options) {
  WEFT_TRY_VALUE(const auto selection,
                 select_outline(library, conversation, options.branch, options.all));
  const std::uint64_t count = selection.entries.size();
  const std::uint64_t begin = std::min(options.from, count);
  const std::uint64_t end = begin + std::min(options.limit, count - begin);
  Foreigners foreigners(library);
  json::array blocks;
  for (std::uint64_t i = begin; i < end; ++i) {
    if (options.control.is_off()) return called_off();
    const store::OutlineEntry& entry = selection.entries[i];
    WEFT_TRY_VALUE(const auto cid, library.web.cid_of(entry.block));
    WEFT_TRY_VALUE(const auto thought, library.web.get(cid));
    json::object opened = thought::to_open_json(thought, library.keyring);
    foreigners.mark(thought, opened);
    WEFT_TRY(add_summary(library, thought, opened, foreigners));
    json::object lengths;
    if (json::value* content = opened.if_contains("content")) {
      cut_texts(*content, "/content", options.cut, lengths);
    }
    opened["ordinal"] = i;
    opened["turn"] = selection.sequence_of(entry);
    if (!lengths.empty()) opened["lengths"] = std::move(lengths);
    if (entry.is_superseded) opened["superseded"] = true;
    if (selection.is_other_branch(entry)) opened["other_branch"] = true;
    blocks.push_back(std::move(opened));
  }
  json::object answer{{"conversation_cid", conversation.cid.str()},
                      {"count", count},
                      {"from", begin},
                      {"blocks", std::move(blocks)}};
  note_behind(answer, selection.rows());
  return answer;
}

}  // namespace weft::query

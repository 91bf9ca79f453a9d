#include "weft/query/outline/numbered_blocks.hpp"

#include <algorithm>

#include "weft/base/try.hpp"
#include "weft/base/utf8.hpp"
#include "weft/query/secrets/opened.hpp"
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

Result<NumberedBlocks> NumberedBlocks::open(const Library& library,
                                            const store::ConversationRow& conversation,
                                            const BlockSelection& selection) {
  WEFT_TRY_VALUE(auto selected,
                 select_outline(library, conversation, selection.branch, selection.all));
  return NumberedBlocks(library, std::move(selected));
}

Result<json::object> NumberedBlocks::read(std::uint64_t ordinal, std::uint64_t cut) {
  const store::OutlineEntry& entry = selection_.entries[ordinal];
  WEFT_TRY_VALUE(const auto cid, library_.web.cid_of(entry.block));
  WEFT_TRY_VALUE(const auto thought, library_.web.get(cid));
  json::object opened = open_json(library_, thought);
  foreigners_.mark(thought, opened);
  WEFT_TRY(add_summary(library_, thought, opened, foreigners_));
  json::object lengths;
  if (json::value* content = opened.if_contains("content")) {
    cut_texts(*content, "/content", cut, lengths);
  }
  opened["ordinal"] = ordinal;
  opened["turn"] = selection_.sequence_of(entry);
  if (!lengths.empty()) opened["lengths"] = std::move(lengths);
  if (entry.is_superseded) opened["superseded"] = true;
  if (selection_.is_other_branch(entry)) opened["other_branch"] = true;
  return opened;
}

Result<std::optional<std::uint64_t>> NumberedBlocks::find(const Cid& block) const {
  WEFT_TRY_VALUE(const auto handle, library_.web.find_handle(block));
  if (!handle) return std::nullopt;
  const auto found = std::ranges::find(selection_.entries, *handle, &store::OutlineEntry::block);
  if (found == selection_.entries.end()) return std::nullopt;
  return static_cast<std::uint64_t>(found - selection_.entries.begin());
}

std::optional<std::uint64_t> NumberedBlocks::find_turn(std::uint64_t sequence) const {
  const auto found = std::ranges::find_if(
      selection_.entries,
      [&](const store::OutlineEntry& entry) { return selection_.sequence_of(entry) == sequence; });
  if (found == selection_.entries.end()) return std::nullopt;
  return static_cast<std::uint64_t>(found - selection_.entries.begin());
}

}  // namespace weft::query

#include "weft/formats/adapters/claude_code/snapshots.hpp"

#include <limits>
#include <utility>

#include "weft/formats/reading/state_rows.hpp"
#include "weft/formats/reading/text.hpp"

namespace weft::formats::claude_code {
namespace {

// The part of a block in which one snapshot may differ from the next.
std::string text_of(const transcript::Body& body) {
  if (const auto* text = std::get_if<transcript::Text>(&body)) return text->text;
  if (const auto* thinking = std::get_if<transcript::Thinking>(&body)) return thinking->text;
  if (const auto* call = std::get_if<transcript::ToolCall>(&body)) {
    return canonical_json(call->input);
  }
  if (const auto* redacted = std::get_if<transcript::RedactedThinking>(&body)) {
    return redacted->data;
  }
  return {};
}

}  // namespace

Snapshots::Found Snapshots::add(std::string_view message_id, std::optional<std::int64_t> api_index,
                                const AuthoredBlock& block, const Place& place) {
  const auto* call = std::get_if<transcript::ToolCall>(&block.body);
  const std::string text = text_of(block.body);
  Seen now{.message = quick_hash_of(message_id),
           .api_index = api_index.value_or(-1),
           .kind = static_cast<std::int64_t>(block.body.index()),
           .key = call == nullptr ? 0 : quick_hash_of(call->id),
           .length = text.size(),
           .hash = quick_hash_of(text),
           .place = place};
  if (text.empty() && call == nullptr) return {};  // hollow thinking says nothing twice
  for (Seen& seen : seen_) {
    if (seen.message != now.message || seen.kind != now.kind || seen.key != now.key) continue;
    if (seen.api_index >= 0 && now.api_index >= 0 && seen.api_index != now.api_index) continue;
    if (seen.place.source_id == place.source_id) continue;  // of the same line
    if (seen.length == now.length && seen.hash == now.hash) {
      return {.kind = Found::Kind::repeat};
    }
    const bool has_grown =
        seen.length > 0 && seen.length < text.size() &&
        quick_hash_of(std::string_view(text).substr(0, seen.length)) == seen.hash;
    const bool is_same_call = call != nullptr && !call->id.empty();
    if (!has_grown && !is_same_call) continue;
    now.place = seen.place;
    seen = now;
    return {.kind = Found::Kind::restated, .place = seen.place};
  }
  push(seen_, std::move(now), kMost);
  return {};
}

json::array Snapshots::save() const {
  json::array out;
  for (const Seen& seen : seen_) {
    out.push_back(json::array{as_int(seen.message), seen.api_index, seen.kind, as_int(seen.key),
                              as_int(seen.length), as_int(seen.hash), seen.place.source_id,
                              std::int64_t{seen.place.index}});
  }
  return out;
}

bool Snapshots::restore(const json::array& state) {
  std::deque<Seen> restored;
  for (const json::value& value : state) {
    const json::array* row = value.if_array();
    if (row == nullptr || row->size() != 8 || !(*row)[6].is_string()) return false;
    const auto message = hash_at(*row, 0), key = hash_at(*row, 3), length = hash_at(*row, 4),
               hash = hash_at(*row, 5);
    const auto api_index = int_at(*row, 1), kind = int_at(*row, 2), index = int_at(*row, 7);
    if (!message || !key || !length || !hash || !api_index || !kind || !index) return false;
    if (*index < 0 || *index > std::numeric_limits<std::uint32_t>::max()) return false;
    restored.push_back(
        {.message = *message,
         .api_index = *api_index,
         .kind = *kind,
         .key = *key,
         .length = *length,
         .hash = *hash,
         .place = {std::string(view((*row)[6].get_string())), static_cast<std::uint32_t>(*index)}});
  }
  if (restored.size() > kMost) return false;
  seen_ = std::move(restored);
  return true;
}

}  // namespace weft::formats::claude_code

#include "weft/formats/adapters/claude_code/snapshots.hpp"

#include <utility>

#include "weft/formats/reading/recent.hpp"
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

void Snapshots::archive(StateArchive& a, std::string_view key) { a.field(key, seen_, kMost); }

}  // namespace weft::formats::claude_code

#include "weft/formats/adapters/claude_code/reader_memory.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <limits>
#include <span>
#include <utility>

#include "weft/formats/reading/members.hpp"
#include "weft/formats/reading/text.hpp"

namespace weft::formats::claude_code {
namespace {

template <class T>
void push(std::deque<T>& window, T item, std::size_t most) {
  window.push_back(std::move(item));
  if (window.size() > most) window.pop_front();
}

// Hashes are saved as the integers of the same bits.
std::int64_t as_int(std::uint64_t hash) { return std::bit_cast<std::int64_t>(hash); }

std::optional<std::int64_t> int_at(const json::array& row, std::size_t i) {
  if (i >= row.size() || !row[i].is_int64()) return std::nullopt;
  return row[i].get_int64();
}

std::optional<std::uint64_t> hash_at(const json::array& row, std::size_t i) {
  const auto number = int_at(row, i);
  if (!number) return std::nullopt;
  return std::bit_cast<std::uint64_t>(*number);
}

// What a block says, as far as a snapshot of it may differ from the next.
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

void append_hex_word(std::string& out, std::uint64_t word) {
  std::array<char, 16> digits{};
  const auto end = std::to_chars(digits.begin(), digits.end(), word, 16).ptr;
  out.append(digits.begin(), end);
}

template <class T>
bool take_number(std::string_view& text, T& number, int base) {
  const auto [end, error] = std::from_chars(text.begin(), text.end(), number, base);
  if (error != std::errc()) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.begin()));
  return true;
}

bool take_char(std::string_view& text, char expected) {
  if (!text.starts_with(expected)) return false;
  text.remove_prefix(1);
  return true;
}

}  // namespace

void Records::add(const Seen& seen) { push(seen_, seen, kMost); }

const Records::Seen* Records::find(std::uint64_t uuid) const {
  const auto found = std::find_if(seen_.rbegin(), seen_.rend(),
                                  [&](const Seen& seen) { return seen.uuid == uuid; });
  return found == seen_.rend() ? nullptr : &*found;
}

// "<uuid> <fingerprint> <thread> <turn>;": a third of what JSON would take, and this is most
// of the state.
std::string Records::save() const {
  std::string out;
  out.reserve(seen_.size() * 40);
  for (const Seen& seen : seen_) {
    append_hex_word(out, seen.uuid);
    out += ' ';
    append_hex_word(out, seen.fingerprint);
    out += ' ' + std::to_string(seen.thread) + ' ' + std::to_string(seen.turn) + ';';
  }
  return out;
}

bool Records::restore(std::string_view state) {
  std::deque<Seen> restored;
  while (!state.empty()) {
    Seen seen;
    const bool is_whole = take_number(state, seen.uuid, 16) && take_char(state, ' ') &&
                          take_number(state, seen.fingerprint, 16) && take_char(state, ' ') &&
                          take_number(state, seen.thread, 10) && take_char(state, ' ') &&
                          take_number(state, seen.turn, 10) && take_char(state, ';');
    if (!is_whole || restored.size() == kMost) return false;
    restored.push_back(seen);
  }
  seen_ = std::move(restored);
  return true;
}

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

transcript::Usage UsageCount::add(std::uint64_t key, const transcript::Usage& usage) {
  const auto found = std::ranges::find(seen_, key, &Seen::key);
  if (found == seen_.end()) {
    push(seen_, {key, usage}, kMost);
    return usage;
  }
  transcript::Usage& counted = found->usage;
  if (usage.output < counted.output) return {};
  const transcript::Usage more{.input = usage.input - counted.input,
                               .output = usage.output - counted.output,
                               .cache_read = usage.cache_read - counted.cache_read,
                               .cache_write = usage.cache_write - counted.cache_write};
  counted = usage;
  return more;
}

json::array UsageCount::save() const {
  json::array out;
  for (const auto& [key, usage] : seen_) {
    out.push_back(
        json::array{as_int(key), usage.input, usage.output, usage.cache_read, usage.cache_write});
  }
  return out;
}

bool UsageCount::restore(const json::array& state) {
  std::deque<Seen> restored;
  for (const json::value& value : state) {
    const json::array* row = value.if_array();
    if (row == nullptr) return false;
    const auto key = hash_at(*row, 0);
    const auto input = int_at(*row, 1), output = int_at(*row, 2), read = int_at(*row, 3),
               write = int_at(*row, 4);
    if (!key || !input || !output || !read || !write) return false;
    restored.push_back({*key, {*input, *output, *read, *write}});
  }
  if (restored.size() > kMost) return false;
  seen_ = std::move(restored);
  return true;
}

void Calls::add(std::string_view call_id, std::string_view prompt) {
  if (call_id.empty() || call_id.size() > kMaxIdBytes || has(call_id)) return;
  push(calls_, Call{.id = std::string(call_id), .prompt = quick_hash_of(trim(prompt))}, kMost);
}

bool Calls::has(std::string_view call_id) const {
  return std::ranges::find(calls_, call_id, &Call::id) != calls_.end();
}

std::optional<std::string> Calls::take(std::string_view prompt) {
  const std::uint64_t hash = quick_hash_of(trim(prompt));
  for (Call& call : calls_) {
    if (call.is_taken || call.prompt != hash) continue;
    call.is_taken = true;
    return call.id;
  }
  return std::nullopt;
}

bool Calls::name(std::string_view call_id, std::string_view agent) {
  const std::uint64_t hash = quick_hash_of(std::string(call_id) + " " + std::string(agent));
  if (std::ranges::find(named_, hash) != named_.end()) return false;
  push(named_, hash, kMost);
  return true;
}

json::object Calls::save() const {
  json::array calls, named;
  for (const Call& call : calls_) {
    calls.push_back(json::array{call.id, as_int(call.prompt), call.is_taken});
  }
  for (const std::uint64_t hash : named_) named.push_back(as_int(hash));
  return {{"calls", std::move(calls)}, {"named", std::move(named)}};
}

bool Calls::restore(const json::object& state) {
  const json::array* calls = find_array(state, "calls");
  const json::array* named = find_array(state, "named");
  if (calls == nullptr || named == nullptr) return false;
  if (calls->size() > kMost || named->size() > kMost) return false;
  Calls restored;
  for (const json::value& value : *calls) {
    const json::array* row = value.if_array();
    if (row == nullptr || row->size() != 3) return false;
    const auto prompt = hash_at(*row, 1);
    if (!prompt || !(*row)[0].is_string() || !(*row)[2].is_bool()) return false;
    restored.calls_.push_back(
        {std::string(view((*row)[0].get_string())), *prompt, (*row)[2].get_bool()});
  }
  for (std::size_t i = 0; i < named->size(); ++i) {
    const auto hash = hash_at(*named, i);
    if (!hash) return false;
    restored.named_.push_back(*hash);
  }
  *this = std::move(restored);
  return true;
}

}  // namespace weft::formats::claude_code

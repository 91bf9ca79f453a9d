#include "weft/formats/reading/reader_windows.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "weft/formats/reading/members.hpp"
#include "weft/formats/reading/state_rows.hpp"
#include "weft/formats/reading/text.hpp"

namespace weft::formats {
namespace {

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

void RecordWindow::add(const Seen& seen) { push(seen_, seen, kMost); }

const RecordWindow::Seen* RecordWindow::find(std::uint64_t uuid) const {
  const auto found = std::find_if(seen_.rbegin(), seen_.rend(),
                                  [&](const Seen& seen) { return seen.uuid == uuid; });
  return found == seen_.rend() ? nullptr : &*found;
}

// "<uuid> <fingerprint> <thread> <turn>;": a third of what JSON would take, and this is most
// of the state.
std::string RecordWindow::save() const {
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

bool RecordWindow::restore(std::string_view state) {
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

transcript::Usage UsageCounter::add(std::uint64_t key, const transcript::Usage& usage) {
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

json::array UsageCounter::save() const {
  json::array out;
  for (const auto& [key, usage] : seen_) {
    out.push_back(
        json::array{as_int(key), usage.input, usage.output, usage.cache_read, usage.cache_write});
  }
  return out;
}

bool UsageCounter::restore(const json::array& state) {
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

void SpawningCalls::add(std::string_view call_id, std::string_view prompt) {
  if (call_id.empty() || call_id.size() > kMaxIdBytes || has(call_id)) return;
  push(calls_, Call{.id = std::string(call_id), .prompt = quick_hash_of(trim(prompt))}, kMost);
}

bool SpawningCalls::has(std::string_view call_id) const {
  return std::ranges::find(calls_, call_id, &Call::id) != calls_.end();
}

std::optional<std::string> SpawningCalls::take(std::string_view prompt) {
  const std::uint64_t hash = quick_hash_of(trim(prompt));
  for (Call& call : calls_) {
    if (call.is_taken || call.prompt != hash) continue;
    call.is_taken = true;
    return call.id;
  }
  return std::nullopt;
}

bool SpawningCalls::name(std::string_view call_id, std::string_view agent) {
  const std::uint64_t hash = quick_hash_of(std::string(call_id) + " " + std::string(agent));
  if (std::ranges::find(named_, hash) != named_.end()) return false;
  push(named_, hash, kMost);
  return true;
}

json::object SpawningCalls::save() const {
  json::array calls, named;
  for (const Call& call : calls_) {
    calls.push_back(json::array{call.id, as_int(call.prompt), call.is_taken});
  }
  for (const std::uint64_t hash : named_) named.push_back(as_int(hash));
  return {{"calls", std::move(calls)}, {"named", std::move(named)}};
}

bool SpawningCalls::restore(const json::object& state) {
  const json::array* calls = find_array(state, "calls");
  const json::array* named = find_array(state, "named");
  if (calls == nullptr || named == nullptr) return false;
  if (calls->size() > kMost || named->size() > kMost) return false;
  SpawningCalls restored;
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

}  // namespace weft::formats

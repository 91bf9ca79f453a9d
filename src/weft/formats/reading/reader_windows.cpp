#include "weft/formats/reading/reader_windows.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "weft/formats/reading/members.hpp"
#include "weft/formats/reading/recent.hpp"
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
std::string RecordWindow::write() const {
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

bool RecordWindow::read(std::string_view state) {
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

void RecordWindow::archive(StateArchive& a, std::string_view key) {
  std::string text;
  if (a.is_writing()) text = write();
  a.field(key, text);
  a.check(a.is_writing() || read(text));
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

void UsageCounter::archive(StateArchive& a, std::string_view key) { a.field(key, seen_, kMost); }

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

void SpawningCalls::archive(StateArchive& a) {
  a.field("calls", calls_, kMost);
  a.hashes("named", named_, kMost);
}

}  // namespace weft::formats

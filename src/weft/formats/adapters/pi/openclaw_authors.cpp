#include "weft/formats/adapters/pi/openclaw_authors.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "weft/base/state_archive.hpp"
#include "weft/formats/reading/entry_window.hpp"
#include "weft/formats/reading/text.hpp"

namespace weft::formats::openclaw {
namespace {

constexpr std::array<std::string_view, 7> kPromptOpenings = {
    "[cron:",
    "[Subagent Context]",
    "[System Message]",
    "[Inter-session message",
    "Read HEARTBEAT.md if it exists",
    "A new session was started via /new or /reset",
    "Pre-compaction memory flush",
};

std::string_view without_blanks_before(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  return text;
}

// "[Wed 2026-02-18 11:21 GMT+1] hello" → "hello".
std::string_view without_time_stamp(std::string_view text) {
  constexpr std::array<std::string_view, 7> kDays = {"[Mon ", "[Tue ", "[Wed ", "[Thu ",
                                                     "[Fri ", "[Sat ", "[Sun "};
  constexpr std::size_t kLongestStamp = 64;
  const bool is_stamped =
      std::ranges::any_of(kDays, [&](std::string_view day) { return text.starts_with(day); });
  const std::size_t end = text.substr(0, kLongestStamp).find(']');
  if (!is_stamped || end == std::string_view::npos) return text;
  return without_blanks_before(text.substr(end + 1));
}

bool opens_as_prompt(std::string_view text) {
  text = without_time_stamp(without_blanks_before(text));
  return std::ranges::any_of(kPromptOpenings,
                             [&](std::string_view opening) { return text.starts_with(opening); });
}

// Delivery changes white space and takes out directives like [[reply_to_current]].
std::string normal(std::string_view words) {
  std::string out;
  out.reserve(words.size());
  bool may_close = true;  // asked once only: there may be a million openings
  while (!words.empty()) {
    if (may_close && words.starts_with("[[")) {
      const std::size_t end = words.find("]]");
      may_close = end != std::string_view::npos;
      if (may_close) {
        words.remove_prefix(end + 2);
        continue;
      }
    }
    const char c = words.front();
    if (c != ' ' && c != '\t' && c != '\r' && c != '\n') out += c;
    words.remove_prefix(1);
  }
  return out;
}

}  // namespace

bool is_gateway_prompt(const json::object& source, std::string_view words) {
  if (const json::object* provenance = find_object(source, "provenance")) {
    const auto kind = find_string(*provenance, "kind");
    if (kind == "inter_session" || kind == "internal_system") return true;
    if (kind == "external_user") return false;
  }
  if (opens_as_prompt(words)) return true;
  // Events that waited for the next prompt stand before it: whose it is, the prompt says.
  if (!words.starts_with("System: [")) return false;
  const std::size_t last = words.rfind("\n\n");
  return last != std::string_view::npos && opens_as_prompt(words.substr(last));
}

bool is_gateway_answer(const json::object& source) {
  return find_string(source, "provider") == "openclaw" ||
         find_string(source, "api") == "openclaw-transcript" || is_delivery_mirror(source);
}

bool is_delivery_mirror(const json::object& source) {
  const auto model = find_string(source, "model");
  return model == "delivery-mirror" || model == "gateway-injected" ||
         source.contains("openclawDeliveryMirror");
}

bool is_startup_line(std::string_view words) {
  constexpr std::size_t kMark = 16;  // a tick or the like may stand before it
  return words.find("New session started") < kMark;
}

void Answers::add(const pi::Message& message) {
  int texts = 0;
  for (const AuthoredBlock& block : message.blocks) {
    if (const auto* text = std::get_if<transcript::Text>(&block.body)) {
      add_words(text->text);
      ++texts;
    }
    const auto* call = std::get_if<transcript::ToolCall>(&block.body);
    const json::object* input = call == nullptr ? nullptr : call->input.if_object();
    if (input == nullptr) continue;
    for (const std::string_view key : {"message", "text", "content", "caption"}) {
      if (const auto words = find_string(*input, key)) add_words(*words);
    }
  }
  if (texts > 1) add_words(pi::words_of(message));
}

void Answers::add_words(std::string_view words) {
  const std::string blocks = normal(words);
  if (blocks.empty()) return;
  const std::int64_t hash = short_hash(blocks);
  if (std::ranges::find(hashes_, hash) != hashes_.end()) return;
  hashes_.push_back(hash);
  if (hashes_.size() > kAnswers) hashes_.pop_front();
}

bool Answers::has(std::string_view words) const {
  return std::ranges::find(hashes_, short_hash(normal(words))) != hashes_.end();
}

void Answers::archive(StateArchive& a, std::string_view key) { a.field(key, hashes_); }

}  // namespace weft::formats::openclaw

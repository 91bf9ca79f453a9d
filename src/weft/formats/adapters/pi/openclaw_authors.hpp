// Who really speaks in an OpenClaw session. Its gateway writes in both roles: prompts of its
// own in the person's (cron jobs, heartbeats, what one agent tells another), and in the
// model's the line that a session begins with, and copies of what it delivered to a channel.
#pragma once

#include <cstdint>
#include <deque>
#include <string_view>

#include "weft/base/json.hpp"
#include "weft/formats/adapters/pi/message.hpp"

namespace weft::formats::openclaw {

// A message of the role user that no person wrote: it says so itself (`provenance`), or it
// begins as the gateway's own prompts do.
bool is_gateway_prompt(const json::object& source, std::string_view words);

// A message of the role assistant that no model wrote.
bool is_gateway_answer(const json::object& source);
// One of these that copies what was delivered, which may be an answer that stands before it.
bool is_delivery_mirror(const json::object& source);
// "✅ New session started · model: …"
bool is_startup_line(std::string_view words);

// The answers that a mirror may repeat: texts of the model, and what it sent with a tool. The
// last kAnswers are remembered; a mirror of an older one is kept as if it said something new.
class Answers {
 public:
  void add(const pi::Message& message);
  bool has(std::string_view words) const;

  json::array save() const;
  // False if `state` is not what save() gave.
  [[nodiscard]] bool restore(const json::array& state);

 private:
  static constexpr std::size_t kAnswers = 32;
  void add_words(std::string_view words);
  std::deque<std::int64_t> hashes_;
};

}  // namespace weft::formats::openclaw

// Finds the authors of messages in an OpenClaw session. Its gateway writes in both roles: prompts
// of its own in the person's (cron jobs, heartbeats, messages between agents), and in the model's
// the line that a session begins with, and copies of the answers that it delivered to a channel.
#pragma once

#include <cstdint>
#include <deque>
#include <string_view>

#include "weft/base/json.hpp"
#include "weft/formats/adapters/pi/message.hpp"

namespace weft {
class StateArchive;
}

namespace weft::formats::openclaw {

// Whether a program wrote this message of the role user: its `provenance` says so, or it begins
// as the gateway's own prompts do.
bool is_gateway_prompt(const json::object& source, std::string_view words);

// Whether the gateway wrote this message of the role assistant.
bool is_gateway_answer(const json::object& source);
// Whether it is a copy of what was delivered, which may be an earlier answer.
bool is_delivery_mirror(const json::object& source);
// "✅ New session started · model: …"
bool is_startup_line(std::string_view words);

// The answers that a mirror may repeat: texts of the model, and those that it sent with a tool.
// The last kAnswers are remembered; a mirror of an older one is emitted.
class Answers {
 public:
  void add(const pi::Message& message);
  bool has(std::string_view words) const;

  // The field `key`, a list of hashes.
  void archive(StateArchive& a, std::string_view key);

 private:
  static constexpr std::size_t kAnswers = 32;
  void add_words(std::string_view words);
  std::deque<std::int64_t> hashes_;
};

}  // namespace weft::formats::openclaw

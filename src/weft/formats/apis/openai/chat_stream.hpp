// An answer of the Chat Completions API as it streams: from chunks to the messages that they
// are pieces of, as the API would have sent them whole. Recordings are read with it, and whoever
// stands between a program and the API hears with it what is said.
//
//   ChatStream stream;
//   for (chunk : chunks) {
//     Step step = stream.push(chunk);       // {"object":"chat.completion.chunk",…}
//     for (StreamedChoice& choice : step.choices) …   // each once it is finished
//     if (step.usage) …                              // what was used beyond what was told
//   }
//   stream.close();                          // at "[DONE]"
//   Step rest = stream.end();                // what came of an answer that broke off
//
// One stream may carry many answers, one after the other: each is known by its id.
//
// It holds one answer: never more than kMaxRecordBytes of it, further chunks are refused.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "weft/base/json.hpp"
#include "weft/transcript/conversation.hpp"

namespace weft::formats::openai {

// Where it stands among the alternatives, and the message as if it had come whole.
struct StreamedChoice {
  std::string id, model;  // of the answer; empty where the stream does not say
  json::value created;    // as it was told; null if it was not
  std::uint32_t index = 0;
  json::object message;
  std::string finish_reason{};
  bool is_cut = false;  // it broke off
};

class ChatStream {
 public:
  enum class EventOutcome {
    part,       // of an answer
    filter,     // says only what was filtered, or nothing
    stray,      // comes behind the end of its answer
    malformed,  // is no chunk
    too_large,
  };
  struct Step {
    EventOutcome outcome = EventOutcome::part;
    std::vector<StreamedChoice> choices{};
    std::optional<transcript::Usage> usage{};  // to be added to what was told before
  };

  Step push(const json::object& chunk);
  // The stream says that it is at its end: what has not finished is told as it is.
  Step close();
  // No more chunks. What came of the answer is told as cut. The stream is not changed: it can
  // go on, and tells those choices again when they are finished.
  Step end() const;

  // An answer has begun, and not all of it is told.
  bool is_open() const;
  // The id of the answer at hand; empty if it has none.
  const std::string& id() const { return id_; }

  json::object save() const;
  // False if `state` is not what save() gave.
  [[nodiscard]] bool restore(const json::object& state);

 private:
  // Alternatives and calls of one answer; beyond these chunks are refused.
  static constexpr std::size_t kMostChoices = 128;
  static constexpr std::size_t kMostCalls = 1024;

  struct Choice {
    std::uint32_t index = 0;
    json::object message{};
    bool is_done = false;
  };

  EventOutcome take_choice(const json::object& choice, Step& step);
  bool take_delta(Choice& choice, const json::object& delta);
  bool take_calls(Choice& choice, const json::array& calls);
  void take_content(Choice& choice, const json::value& content);
  void take_details(Choice& choice, const json::array& details);
  void append(json::object& object, std::string_view key, std::string_view text);
  void take_usage(const json::object& chunk);
  void emit_usage(Step& step);
  void begin(const json::object& chunk, std::string id);
  void emit_rest(bool is_cut, Step& step) const;
  StreamedChoice emitted(const Choice& choice) const;

  std::string id_, model_;
  json::value created_;
  std::vector<Choice> choices_;
  std::size_t pending_ = 0;  // bytes in these
  transcript::Usage usage_{}, emitted_usage_{};
};

}  // namespace weft::formats::openai

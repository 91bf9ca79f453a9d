// Assembles a streamed answer of the Chat Completions API: from chunks to messages, as the API
// would have sent them whole. Readers of logs and the recording proxy use it.
//
//   ChatStream stream;
//   for (chunk : chunks) {
//     Step step = stream.push(chunk);       // {"object":"chat.completion.chunk",…}
//     for (StreamedChoice& choice : step.choices) …   // each once it is finished
//     if (step.usage) …                              // usage beyond what was emitted
//   }
//   stream.close();                          // at "[DONE]"
//   Step rest = stream.end();                // the choices of an answer that broke off
//
// One stream may carry many answers, one after the other, each with its own id.
//
// It buffers one answer, up to kMaxRecordBytes of it; further chunks are refused.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "weft/base/json.hpp"
#include "weft/formats/apis/anthropic/exact_json.hpp"
#include "weft/transcript/conversation.hpp"

namespace weft::formats::openai {

// One of the alternatives, with its message as if it had come whole.
struct StreamedChoice {
  std::string id, model;  // of the answer; empty if the stream does not name them
  json::value created;    // as in the stream; null if it is not there
  std::uint32_t index = 0;
  json::object message;
  std::string finish_reason{};
  bool is_cut = false;  // it broke off
};

class ChatStream {
 public:
  enum class EventOutcome {
    part,       // of an answer
    filter,     // only reports filtering, or nothing
    stray,      // follows the end of its answer
    malformed,  // is no chunk
    too_large,
  };
  struct Step {
    EventOutcome outcome = EventOutcome::part;
    std::vector<StreamedChoice> choices{};
    std::optional<transcript::Usage> usage{};  // to be added to what was emitted before
  };

  Step push(const json::object& chunk);
  // The stream has ended regularly: unfinished choices are emitted as they are.
  Step close();
  // No more chunks: unfinished choices, as cut. The stream does not change: it can be resumed,
  // and then emits those choices again when they are finished.
  Step end() const;

  // An answer has begun, and not all of it was emitted.
  bool is_open() const;
  // The id of the current answer; empty if it has none.
  const std::string& id() const { return id_; }
  const std::string& model() const { return model_; }

  void archive(StateArchive& a);

 private:
  // Most alternatives and calls of one answer; further chunks are refused.
  static constexpr std::size_t kMostChoices = 128;
  static constexpr std::size_t kMostCalls = 1024;

  struct Choice {
    std::uint32_t index = 0;
    json::object message{};
    bool is_done = false;
    friend auto state_row(Choice& choice) {
      return state_cells(choice.index, choice.is_done, anthropic::ExactObject{choice.message});
    }
  };

  EventOutcome read_choice(const json::object& choice, Step& step);
  bool read_delta(Choice& choice, const json::object& delta);
  bool read_calls(Choice& choice, const json::array& calls);
  void read_content(Choice& choice, const json::value& content);
  void read_details(Choice& choice, const json::array& details);
  void append(json::object& object, std::string_view key, std::string_view text);
  void read_usage(const json::object& chunk);
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

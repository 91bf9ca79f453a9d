// Speaker: reads the events of one agent in a wire log of kimi-cli, the session's own or one that
// it spawned, and emits its conversation.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "weft/formats/adapters/kimi/kimi.hpp"
#include "weft/formats/framing/json_value_scanner.hpp"
#include "weft/formats/reading/recent.hpp"

namespace weft::formats::kimi {

// {"type": "ContentPart", "payload": {…}}, and its line.
struct Event {
  std::string_view type;
  const json::object* payload = nullptr;  // null where it has none
  std::string place;                      // "#12"
  std::uint64_t line = 1;
  std::optional<Millis> time{};
};

class Speaker {
 public:
  // Whether a person's words are the person's, or those of the agent that spawned this one.
  enum class Prompts { of_person, of_program };
  Speaker(Prompts prompts, std::optional<std::string> model)
      : prompts_(prompts), model_(std::move(model)) {}

  // After teller().begin(). Maps the event or skips it.
  void read(const Event& event, transcript::Sink& sink);
  // Emits the pending text. It stays pending, and is emitted again when it is complete.
  void finish(transcript::Sink& sink);

  TurnBuilder& builder() { return builder_; }
  void archive(StateArchive& a);

 private:
  // Text comes in pieces. It is pending until another piece cannot follow, that is, until another
  // event comes. A longer text is emitted in several blocks.
  static constexpr std::size_t kMostTextBytes = 256u << 10;
  // Arguments come in pieces only while something else is written between; what goes beyond
  // this is left out.
  static constexpr std::size_t kMostArgumentBytes = 4u << 20;
  // Calls that may have spawned an agent. One that answers after that many others is not joined.
  static constexpr std::size_t kMostSpawning = 64;

  enum class Piece { text, thinking, call };
  friend constexpr Piece last_enumerator(Piece /*one*/) { return Piece::call; }
  struct PendingEvent {
    Piece piece = Piece::text;
    std::string place;
    std::optional<Millis> time;
    std::string step;
    std::string text;                 // or the arguments
    std::string signature;            // of thinking; empty for none
    std::string id, name;             // of a call
    JsonValueScanner arguments{};     // has seen all of a call's text
    std::optional<bool> is_object{};  // whether they begin as one; empty before they do

    // Whether the arguments end with these, which are the next of them.
    bool feed(std::string_view next);

    void archive(StateArchive& a);
  };

  void read_prompt(const Event& event, transcript::Sink& sink);
  void read_part(const Event& event, transcript::Sink& sink);
  void read_call(const Event& event, transcript::Sink& sink);
  void read_arguments(const Event& event, transcript::Sink& sink);
  void read_result(const Event& event, transcript::Sink& sink);
  void read_status(const Event& event, transcript::Sink& sink);
  void read_aside(const Event& event, transcript::Sink& sink);
  void emit(const Event& event, std::vector<AuthoredBlock> blocks, transcript::Sink& sink);
  // Appends to the arguments of the pending call, which is emitted once they are complete.
  void add_arguments(std::string_view arguments, transcript::Sink& sink);
  void emit_pending(transcript::Sink& sink);
  void settle(transcript::Sink& sink);
  std::string step_of(const std::string& place) const { return step_.empty() ? place : step_; }

  Prompts prompts_;
  std::optional<std::string> model_;
  TurnBuilder builder_;
  UsageSum usage_;
  Recent spawning_{kMostSpawning};
  std::string step_;  // where it began; empty before the first
  std::optional<PendingEvent> pending_;
};

}  // namespace weft::formats::kimi

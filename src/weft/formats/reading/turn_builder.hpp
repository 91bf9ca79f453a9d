// From what records say to a conversation: its heading, and turns that come out of who speaks.
//
// A person's words are a human turn, all else until the next of them is one assistant turn,
// and what a program says before anyone spoke is a system turn. A record that tells several
// of these begins several turns. For formats whose records follow one another; where one goes
// back to an earlier turn, follow() says so.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/base/json.hpp"
#include "weft/transcript/conversation.hpp"

namespace weft::formats {

struct AuthoredBlock {
  transcript::Author author = transcript::Author::model;
  transcript::Body body;
  std::optional<Millis> start{}, stop{};  // where the block itself has them
  std::optional<json::object> extra{};    // as Block::extra
};

// What one record says.
struct RecordContent {
  std::string place;  // the record's own name, or "#7" where it has none: it is counted
  std::vector<AuthoredBlock> blocks{};
  bool is_prompt = false;  // what a program says in it stays with the person's words
  bool is_answer = false;  // whoever speaks in it, it is no system turn
  bool stays = false;      // what a program says in it goes on with the turn that runs
  std::optional<Millis> time{};
  std::optional<std::string> model{};       // of what a model says in it
  std::optional<std::string> message_id{};  // else what a model says in it is one step by itself
  std::uint32_t first_index = 0;            // of its first block: where it goes on with a place
};

class TurnBuilder {
 public:
  // Settles what the conversation is, and tells it with what was noted before. Once.
  void begin(transcript::Heading heading, transcript::Sink& sink);
  bool has_begun() const { return heading_.has_value(); }
  // Only after begin().
  const transcript::Heading& heading() const { return *heading_; }
  // Tells the heading to a sink that is new to it: before anything that is told past this
  // class, such as facts.
  void resume(transcript::Sink& sink);
  // Another conversation is told to the sink now: heading and turn are told again.
  void leave() { is_emitted_ = is_turn_emitted_ = false; }

  // What is known of the conversation: told, or held back until it begins.
  void note(const transcript::Facts& facts, transcript::Sink& sink);
  // A title, on one line. One of lower rank than it has is no news, nor is a second prompt.
  // False if it was none.
  enum class Title { none, prompt, made, chosen };
  bool set_title(Title rank, std::string_view text, transcript::Sink& sink);

  // Its turn, if that is a new one (or new to the sink), and its blocks. After begin().
  void emit(RecordContent content, transcript::Sink& sink);

  // The source_id of the turn that is running; empty before the first.
  std::string turn() const { return turn_ ? turn_->source_id : std::string(); }
  std::optional<transcript::Role> role() const;
  // What is told next begins a turn that follows that one, though others came between; ""
  // follows none.
  void follow(std::string turn) { follows_ = std::move(turn); }

  json::object save() const;
  // False if `state` is not what save() gave.
  [[nodiscard]] bool restore(const json::object* state);

 private:
  void open(transcript::Role role, const std::string& place, std::uint32_t index,
            transcript::Sink& sink);

  std::optional<transcript::Heading> heading_;
  std::optional<transcript::TurnHead> turn_;
  std::optional<std::string> follows_;
  transcript::Facts waiting_;  // for the beginning
  Title title_ = Title::none;
  bool is_emitted_ = false, is_turn_emitted_ = false;  // to the sink at hand: not after restore()
};

// The sum of what a conversation used, kept within what real ones may use.
class UsageSum {
 public:
  void add(const transcript::Usage& more);
  const transcript::Usage& sum() const { return sum_; }
  json::array save() const;
  // False if `state` is not what save() gave, or not there.
  [[nodiscard]] bool restore(const json::array* state);

 private:
  transcript::Usage sum_;
};

}  // namespace weft::formats

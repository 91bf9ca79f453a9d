// Emits the turns of a conversation and their blocks, record by record.
//
// The author of a block decides its turn. The words of a person are a human turn; all other
// blocks up to the next of them are one assistant turn; blocks of a program before anyone spoke
// are a system turn. One record may begin several turns.
//
//   TurnEmitter turns;
//   turns.emit({.place = "m1", .blocks = {{Author::human, Text{"Hi"}}}}, sink);      // human m1
//   turns.emit({.place = "m2", .blocks = {{Author::model, Text{"Hello"}}}}, sink);   // assistant
//   turns.follow("");                                                                // a branch:
//   turns.emit({.place = "m3", .blocks = {{Author::human, Text{"Hm"}}}}, sink);      // second root
//
// A turn follows the one before it unless follow() names another. A format that assigns turns by
// other rules calls begin() and resume() instead of emit().
//
// Not thread-safe. The size of the state is fixed, however long the conversation.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "weft/base/json.hpp"
#include "weft/transcript/conversation.hpp"

namespace weft {
class StateArchive;
}

namespace weft::formats {

struct AuthoredBlock {
  transcript::Author author = transcript::Author::model;
  transcript::Body body;
  std::optional<Millis> start{}, stop{};  // where the block itself has them
  std::optional<json::object> extra{};    // as Block::extra
};

// The blocks of one record, and what they have in common.
struct RecordContent {
  std::string place;  // the record's own name, or "#7" where it has none: it is counted
  std::vector<AuthoredBlock> blocks{};
  bool is_prompt = false;  // blocks of a program in it stay with the person's words
  bool is_answer = false;  // never a system turn, even if the author is a program
  bool stays = false;      // blocks of a program in it stay in the running turn
  std::optional<Millis> time{};
  std::optional<std::string> model{};       // of the model's blocks
  std::optional<std::string> message_id{};  // of the model's blocks
  bool is_step = true;            // without a message_id the place is one: the record is one step
  std::uint32_t first_index = 0;  // of its first block, where it continues a place
};

class TurnEmitter {
 public:
  // The turn of a program's blocks that begin a branch while no person or model has spoken.
  enum class ProgramBranch { assistant, system };
  TurnEmitter() = default;
  explicit TurnEmitter(ProgramBranch program_branch) : program_branch_(program_branch) {}

  // Emits the blocks of a record, each behind its turn if that is new or new to the sink.
  // Returns the turns that it began, in order.
  std::vector<transcript::TurnHead> emit(RecordContent content, transcript::Sink& sink);
  // The next turn of emit() follows this one, though others came between; "" follows none.
  void follow(std::string turn) { follows_ = std::move(turn); }

  // Begins this turn, whichever one is running, and emits it.
  void begin(transcript::TurnHead head, transcript::Sink& sink);
  // Emits the running turn if it is new to the sink. Only where has_turn().
  void resume(transcript::Sink& sink);
  // Sets the running turn, which no sink has seen yet; empty for none.
  void restore(std::optional<transcript::TurnHead> turn) {
    turn_ = std::move(turn);
    leave();
  }
  // The sink, or the conversation that it is in, is another one now: it knows no turn of this one.
  void leave() { is_emitted_ = false; }

  bool has_turn() const { return turn_.has_value(); }
  // The running turn; empty before the first.
  const std::optional<transcript::TurnHead>& turn() const { return turn_; }
  // The source_id of the running turn; "" before the first.
  std::string turn_id() const { return turn_ ? turn_->source_id : std::string(); }
  bool is_running(transcript::Role role) const { return turn_ && turn_->role == role; }
  // Whether no person or model has spoken yet.
  bool is_before_all() const { return !turn_ || turn_->role == transcript::Role::system; }
  // The name of a turn that begins with block `index` of the record at `place`: "place", or
  // "place.index" if the running turn began in the same record.
  std::string name_for(std::string_view place, std::uint32_t index) const;

  // The members "turn" {role, id, counted, parent?} and "follows", where there are any.
  void archive(StateArchive& a);

 private:
  transcript::Role role_of(const RecordContent& content, transcript::Author author,
                           bool has_words) const;
  bool open(transcript::Role role, const std::string& place, std::uint32_t index,
            transcript::Sink& sink);

  ProgramBranch program_branch_ = ProgramBranch::assistant;
  std::optional<transcript::TurnHead> turn_;
  std::optional<std::string> follows_;  // by the next turn
  bool is_emitted_ = false;  // turn_, to the sink at hand: not after archive() has read it
};

}  // namespace weft::formats

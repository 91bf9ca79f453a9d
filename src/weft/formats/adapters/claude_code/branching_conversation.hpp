// BranchingConversation: emits one conversation of a session file: its turns, branches and facts.
//
// Only prompts branch. If a prompt follows a prompt other than the last one in the file, its turn
// names the answer to that prompt as its parent. Everything else is in file order.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "weft/formats/apis/claude_code/entry.hpp"
#include "weft/formats/reading/changed_facts.hpp"
#include "weft/formats/reading/reader_windows.hpp"
#include "weft/formats/reading/turn_emitter.hpp"
#include "weft/transcript/conversation.hpp"
#include "weft/transcript/state.hpp"

namespace weft::formats::claude_code {

inline constexpr std::string_view kName = "claude-code";

class BranchingConversation {
 public:
  // Where a title comes from, from worse to better. A better one stays.
  enum class Title { none, command, prompt, summary, last_prompt, made, chosen };
  friend constexpr Title last_enumerator(Title /*one*/) { return Title::chosen; }

  // Remembered turns, which a prompt can branch from. A prompt that goes back further follows the
  // turn before it.
  static constexpr std::size_t kMostTurns = 512;

  BranchingConversation(std::string session_id, std::string source, bool has_people);

  const transcript::Heading& heading() const { return heading_; }
  bool has_people() const { return has_people_; }
  // A helper that the harness runs for itself.
  void set_internal() { is_internal_ = true; }
  bool is_internal() const { return is_internal_; }
  bool has_turns() const { return turns_.has_turn(); }

  // Makes this the sink's conversation; the turn is emitted again before the next block.
  void enter(transcript::Sink& sink);

  // Emits a block of `entry`, whose nearest prompt above is in the turn `above`. All blocks of a
  // record with words of a person are in that person's turn.
  void emit(const Entry& entry, bool is_persons, std::int64_t above, transcript::Block block,
            transcript::Sink& sink);
  // Emits a block that nothing here follows from, in the running turn; a program's turn if there is
  // none.
  void emit_aside(transcript::Block block, transcript::Sink& sink);
  // Notes a record without blocks, which another may follow.
  void pass(const Entry& entry);

  // The turn of the prompt above a record that follows the one of this uuid, by the turns that
  // end there; kNoTurn if none does.
  std::int64_t prompt_before(std::uint64_t uuid) const;
  // Whether one of its turns ends with the record of this uuid.
  bool ends_with(std::uint64_t uuid) const;
  // The turn of the newest prompt; kNoTurn if there is none.
  std::int64_t last_prompt() const { return prompt_at_or_before(last_turn()); }

  // Emits the facts that have changed.
  void note(const transcript::Facts& facts, transcript::Sink& sink) { facts_.note(facts, sink); }
  // False, and nothing is emitted, if there is a better title, or the same.
  bool set_title(Title rank, std::string_view text, transcript::Sink& sink);
  void add_usage(const transcript::Usage& more, transcript::Sink& sink);

  void archive(StateArchive& a);

 private:
  struct TurnEnd {
    std::string source_id;
    transcript::Role role = transcript::Role::human;
    std::uint64_t last = 0;  // uuid of its last record
    friend auto state_row(TurnEnd& turn) {
      return state_cells(turn.role, turn.source_id, StateBits{turn.last});
    }
  };
  std::int64_t last_turn() const {
    return first_turn_ + static_cast<std::int64_t>(ends_.size()) - 1;
  }
  const TurnEnd* turn_at(std::int64_t number) const;
  std::int64_t prompt_at_or_before(std::int64_t number) const;
  void open(transcript::Role role, const Entry& entry, std::optional<std::string> parent,
            transcript::Sink& sink);
  void open_persons(const Entry& entry, std::int64_t above, transcript::Sink& sink);

  transcript::Heading heading_;
  bool has_people_ = true;
  bool is_internal_ = false;
  TurnEmitter turns_;
  std::deque<TurnEnd> ends_;
  std::int64_t first_turn_ = 0;  // number of the first of these
  ChangedFacts facts_;
  Title rank_ = Title::none;
};

}  // namespace weft::formats::claude_code

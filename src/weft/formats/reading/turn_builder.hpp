// Builds one conversation from the records of a source: its heading, its facts and its turns.
//
//   TurnBuilder builder;
//   builder.set_title(TurnBuilder::Title::prompt, "Hi", sink);   // kept until begin()
//   builder.begin(heading, sink);
//   builder.emit({.place = "m1", .blocks = {{Author::human, Text{"Hi"}}}}, sink);
//
// Turns are assigned by author, as weft/formats/reading/turn_emitter.hpp describes. A sink sees
// the heading and the running turn once: leave() and a restored state make it see them again.
//
// For sources whose records follow one another, with a jump back to an earlier turn now and
// then: follow(). Not thread-safe. The size of the state is fixed, however long the conversation.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "weft/base/json.hpp"
#include "weft/formats/reading/turn_emitter.hpp"
#include "weft/transcript/conversation.hpp"

namespace weft::formats {

class TurnBuilder {
 public:
  // Sets the heading and emits it, with the facts that were noted before. Once.
  void begin(transcript::Heading heading, transcript::Sink& sink);
  bool has_begun() const { return heading_.has_value(); }
  // Only after begin().
  const transcript::Heading& heading() const { return *heading_; }
  // Emits the heading to a sink that is new to it: before anything that is emitted without this
  // class, such as facts. Only after begin().
  void resume(transcript::Sink& sink);
  // Another conversation is emitted to the sink next: heading and turn are emitted again after it.
  void leave();

  // Emits facts of the conversation; before begin() they are kept for it.
  void note(const transcript::Facts& facts, transcript::Sink& sink);
  // Where a title comes from, from worse to better.
  enum class Title { none, prompt, made, chosen };
  friend constexpr Title last_enumerator(Title /*one*/) { return Title::chosen; }
  // Notes a title, on one line. False, and nothing is noted, if the text is blank, if a better
  // title is known, or if this is the second prompt.
  bool set_title(Title rank, std::string_view text, transcript::Sink& sink);

  // Emits the blocks of a record, each behind its turn if that is new. Only after begin().
  void emit(RecordContent content, transcript::Sink& sink);

  // The source_id of the running turn; empty before the first.
  std::string turn() const { return turns_.turn_id(); }
  std::optional<transcript::Role> role() const;
  // The next turn follows this one, though others came between; "" follows none.
  void follow(std::string turn) { turns_.follow(std::move(turn)); }

  void archive(StateArchive& a);

 private:
  std::optional<transcript::Heading> heading_;
  TurnEmitter turns_;
  transcript::Facts waiting_;  // for begin()
  Title title_ = Title::none;
  bool is_emitted_ = false;  // the heading, to the sink at hand: not after archive() has read it
};

// The token usage of a conversation: a sum that saturates where no real one comes near.
class UsageSum {
 public:
  void add(const transcript::Usage& more);
  const transcript::Usage& sum() const { return sum_; }
  // The field `key`, a row of four numbers.
  void archive(StateArchive& a, std::string_view key);

 private:
  transcript::Usage sum_;
};

}  // namespace weft::formats

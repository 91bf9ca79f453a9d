// Finds the conversations in an API log. Every request repeats the whole history, so only the
// blocks behind its longest known beginning are new: there the conversation continues or
// branches. A request without a known beginning starts another conversation.
//
// The text that programs put before the first prompt (Claude Code's reminders, Codex's
// environment) is the same in many conversations: alone it is no beginning.
//
// A beginning is identified by a hash of its blocks and their authors. Thinking and signatures do
// not count, since clients leave out old ones, nor does the role of a message.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "weft/formats/reading/linear_conversation.hpp"

namespace weft::formats {

// A block, and whether it belongs to a person's turn.
struct Placed {
  transcript::Block block;
  bool is_persons = false;
  bool counted = false;
  // Instead of a block: a reference to content that was named so (RequestHistory::name).
  std::string refers{};
};

// How far the name of a conversation decides which requests belong to it.
enum class Scope {
  none,     // not at all: a known beginning decides
  trace,    // every request of that name, except those that continue an answer of another one
  session,  // every request of that name, and no other
};

// The name of a new conversation, or the place where an old one continues.
struct Opening {
  std::string name;
  std::string provider{};  // of its models, if not the log's
  Scope scope = Scope::none;
  std::string after{};  // the name of the answer that it continues, if that is known
  // Beginnings are compared within one lineage only: two sessions may begin with the same words.
  std::string lineage{};
};

class RequestHistory {
 public:
  // The default number of remembered beginnings. A request that goes back further is emitted
  // again, as a conversation of its own.
  static constexpr std::size_t kMostMarks = 1024;

  // `like` is the heading of all conversations, except for what an Opening gives.
  RequestHistory(transcript::Heading like, std::string project,
                 std::size_t most_marks = kMostMarks);

  // Emits the new blocks of a request that repeats the history; false if none was new.
  // `prompts` is the system prompt, of which only new parts are emitted.
  bool restate(std::vector<Placed> prompts, std::vector<Placed> blocks, const Opening& opening,
               transcript::Sink& sink);

  // Continues the current conversation, or the session's; begins one if there is none.
  void resume(const Opening& opening, transcript::Sink& sink);
  // Begins a new conversation.
  void begin(const Opening& opening);
  void emit(Placed placed, transcript::Sink& sink);
  // Emits the new parts of a system prompt; false if none was new.
  bool append_prompts(std::vector<Placed> prompts, transcript::Sink& sink);
  // After one of the functions above.
  void note(const transcript::Facts& facts, transcript::Sink& sink);
  void add_usage(const transcript::Usage& usage, transcript::Sink& sink);
  bool has_begun() const { return !conversations_.empty(); }
  // Whether resume() would find a conversation.
  bool has(const Opening& opening) const;

  // A position behind the last block. Its turn is "" before the first.
  struct Point {
    std::int64_t conversation = 0;
    std::string turn{};
    std::uint64_t chain = 0;  // hash of all blocks up to there
  };
  // After begin(), resume() or restate().
  Point point() const;
  // The next block follows `point`: on a branch, if a block that requests repeat was emitted
  // since. False if the conversation is no longer remembered.
  bool go_back(const Point& point);
  // The same, on a branch if any block was emitted since.
  bool append_otherwise(const Point& point);
  // Names the last block.
  void name(std::string_view name);
  // The point behind the block of that name; empty if it is not remembered.
  std::optional<Point> find_named(std::string_view name) const;

  void archive(StateArchive& a);

 private:
  // Remembered conversations, and parts of a system prompt.
  static constexpr std::size_t kMostConversations = 32;
  static constexpr std::size_t kMostPrompts = 32;

  struct Conversation {
    std::int64_t number = 0;
    LinearConversation thread;
    std::uint64_t chain = 0;  // hash of all its blocks
    std::deque<std::uint64_t> prompts{};
    transcript::Usage usage{};
    void archive(StateArchive& a);  // all but the number
  };

  const Conversation* find(std::int64_t number) const;
  const Conversation* find_session(const Opening& opening) const;
  Conversation& at_hand() { return conversations_[current_]; }
  void enter(transcript::Sink& sink);
  void take_up(const Conversation& conversation);
  void mark(std::uint64_t key);

  transcript::Heading like_;
  std::string project_;
  std::size_t most_marks_;
  std::deque<Conversation> conversations_;
  std::size_t current_ = 0;
  std::int64_t next_number_ = 0;
  std::unordered_map<std::uint64_t, Point> marks_;
  std::deque<std::uint64_t> order_;  // of the marks, oldest first
  // The conversation in which the sink is; empty after restore().
  std::optional<std::int64_t> entered_;
};

// The hash of a beginning: of `block` and of the blocks hashed into `before`.
std::uint64_t chain_of(std::uint64_t before, const transcript::Block& block);
// The hash of the empty beginning, for the conversations of `opening`.
std::uint64_t seed_of(const Opening& opening);
// The hash of the first prompt in `blocks`: equal for all requests of one conversation.
std::uint64_t beginning_of(std::uint64_t seed, const std::vector<Placed>& blocks);

}  // namespace weft::formats

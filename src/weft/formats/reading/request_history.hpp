// The conversations of an API log. Every request restates all that was said before, so what is
// new in it is what stands behind its longest beginning that is known: the conversation goes on
// there, or branches, or, where no beginning is known, is another one.
//
// What programs put before the first words (Claude Code's reminders, Codex's environment) is the
// same in all conversations of a place: alone it is no beginning.
//
// A beginning is known by a hash of its blocks. Thinking and signatures are not among them, as
// clients leave out old ones, and neither is who sent which message: only who speaks.
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

// A block and whose turn it is in.
struct Placed {
  transcript::Block block;
  bool is_persons = false;
  bool counted = false;
  // Instead of a block: what was named so (History::name) is said again here.
  std::string refers{};
};

// What the name of a conversation says.
enum class Scope {
  none,     // nothing: where a beginning is known, it goes on there
  trace,    // all of that name is in it, but for what goes on with an answer of another one
  session,  // all of that name is in it, and nothing else
};

// What a conversation is called that begins, and where it may go on.
struct Opening {
  std::string name;
  std::string provider{};  // of its models; else that of all
  Scope scope = Scope::none;
  std::string after{};  // it goes on behind what was named so, if that is known
  // Beginnings are known within this alone: two sessions may begin with the same words.
  std::string lineage{};
};

class RequestHistory {
 public:
  // Beginnings that are remembered unless told otherwise. What goes back further is told again,
  // as a conversation of its own.
  static constexpr std::size_t kMostMarks = 1024;

  // `like` is the heading of all that is told, but for what an Opening says.
  RequestHistory(transcript::Heading like, std::string project,
                 std::size_t most_marks = kMostMarks);

  // All that a request says. False if nothing of it was new. `prompts` is the system prompt, of
  // which those parts are said that were not said before.
  bool restate(std::vector<Placed> prompts, std::vector<Placed> blocks, const Opening& opening,
               transcript::Sink& sink);

  // What comes next is in the conversation at hand, or in the session's; in a new one if there
  // is none.
  void resume(const Opening& opening, transcript::Sink& sink);
  // It is in a new one in any case.
  void begin(const Opening& opening);
  void emit(Placed placed, transcript::Sink& sink);
  // Those of a system prompt that were not said before. False if none was.
  bool append_prompts(std::vector<Placed> prompts, transcript::Sink& sink);
  // After one of the above.
  void note(const transcript::Facts& facts, transcript::Sink& sink);
  void add_usage(const transcript::Usage& usage, transcript::Sink& sink);
  bool has_begun() const { return !conversations_.empty(); }
  // Whether go_on() would begin none.
  bool has(const Opening& opening) const;

  // Behind what was said last. Where nothing was said, its turn is "".
  struct Point {
    std::int64_t conversation = 0;
    std::string turn{};
    std::uint64_t chain = 0;  // hash of all that was said up to there
  };
  // After begin(), go_on() or restate().
  Point point() const;
  // What is told next follows it: on a branch, if anything was said since that a request would
  // restate. False if its conversation goes back too far.
  bool go_back(const Point& point);
  // The same, on a branch if anything was said since.
  bool append_otherwise(const Point& point);
  // What was said last is called so from now on.
  void name(std::string_view name);
  // Behind what is called so; empty if that is not known, or not any more.
  std::optional<Point> find_named(std::string_view name) const;

  json::object save() const;
  // False if `state` is not what save() gave.
  [[nodiscard]] bool restore(const json::object& state);

 private:
  // Conversations that may still go on, and parts of a system prompt.
  static constexpr std::size_t kMostConversations = 32;
  static constexpr std::size_t kMostPrompts = 32;

  struct Conversation {
    std::int64_t number = 0;
    LinearConversation thread;
    std::uint64_t chain = 0;  // hash of all that was said
    std::deque<std::uint64_t> prompts{};
    transcript::Usage usage{};
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

// What beginnings are known by: a hash of `block` and of all that is behind `before`.
std::uint64_t chain_of(std::uint64_t before, const transcript::Block& block);
// Behind nothing, in the conversations of `opening`.
std::uint64_t seed_of(const Opening& opening);
// Behind the first words of `blocks`: the same for all that restate one conversation.
std::uint64_t beginning_of(std::uint64_t seed, const std::vector<Placed>& blocks);

}  // namespace weft::formats

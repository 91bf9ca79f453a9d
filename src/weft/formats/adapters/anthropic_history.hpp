// The conversations of an API log. Every request restates all that was said before, so what is
// new in it is what stands behind its longest beginning that is known: the conversation goes on
// there, or branches, or, where no beginning is known, is another one.
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

#include "weft/formats/adapter.hpp"
#include "weft/formats/adapters/anthropic_thread.hpp"
#include "weft/formats/adapters/anthropic_transcript.hpp"

namespace weft::formats::anthropic {

// A block and whose turn it is in.
struct Placed {
  transcript::Block block;
  bool is_persons = false;
  bool counted = false;
};

// The blocks of a message in the order of their turns: results go to the answer that is running,
// before the message's own words. Empty texts are left out.
std::vector<Placed> placed_blocks(Section section, std::string_view source_id, bool counted,
                                  std::uint32_t first_index);

class History {
 public:
  explicit History(const SourceInfo& info);

  // All that a request says. False if nothing of it was new. `prompts` is the system prompt, of
  // which those parts are said that were not said before. `record` names a conversation that
  // begins with it.
  bool restate(std::vector<Placed> prompts, std::vector<Placed> blocks, std::string_view record,
               transcript::Sink& sink);

  // What comes next is in the conversation at hand; in a new one of that name if there is none.
  void go_on(std::string_view name, transcript::Sink& sink);
  // It is in a new one in any case.
  void begin(std::string_view name);
  void tell(Placed placed, transcript::Sink& sink);
  // After one of the above.
  void note(const transcript::Facts& facts, transcript::Sink& sink);
  void add_usage(const transcript::Usage& usage, transcript::Sink& sink);
  bool has_begun() const { return !conversations_.empty(); }

  json::object save() const;
  // False if `state` is not what save() gave.
  [[nodiscard]] bool restore(const json::object& state);

  // "b3:" and 16 hex digits.
  static std::string name_of(std::string_view record);

 private:
  // Conversations that may still go on, beginnings that are known, and parts of a system
  // prompt. What goes back further is told again, as a conversation of its own.
  static constexpr std::size_t kMostConversations = 32;
  static constexpr std::size_t kMostMarks = 1024;
  static constexpr std::size_t kMostPrompts = 32;

  struct Conversation {
    std::int64_t number = 0;
    Thread thread;
    std::uint64_t chain = 0;  // hash of all that was said
    std::deque<std::uint64_t> prompts{};
    transcript::Usage usage{};
  };
  // Behind a block.
  struct Mark {
    std::int64_t conversation = 0;
    std::string turn;
  };

  Conversation* find(std::int64_t number);
  Conversation& at_hand() { return conversations_[current_]; }
  void enter(transcript::Sink& sink);
  bool say_prompts(std::vector<Placed> prompts, transcript::Sink& sink);
  void mark(std::uint64_t chain);

  transcript::Heading like_;
  std::string project_;
  std::deque<Conversation> conversations_;
  std::size_t current_ = 0;
  std::int64_t next_number_ = 0;
  std::unordered_map<std::uint64_t, Mark> marks_;
  std::deque<std::uint64_t> order_;  // of the marks, oldest first
  // The conversation in which the sink is; empty after restore().
  std::optional<std::int64_t> entered_;
};

}  // namespace weft::formats::anthropic

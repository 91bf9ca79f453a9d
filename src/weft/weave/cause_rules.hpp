// Computes the `because` references of a block (docs/design.md, "Causes by block kind"). A
// CauseTracker holds the state of one conversation that the rules need: small, copyable, no I/O, no
// keys.
//
// A *step* is the blocks of one API message or, without message ids, a run of model
// blocks with no result or input between. Its
// *news* are the inputs, results and compactions that were in no earlier step's news.
// So every block names what was new to it, and because lists stay short.
//
// A CauseTracker is of bounded size, however long the conversation: it is saved after every
// appended line. The bounds are far beyond what real conversations need.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "weft/base/cid.hpp"
#include "weft/base/state_archive.hpp"
#include "weft/base/time.hpp"
#include "weft/transcript/conversation.hpp"

namespace weft::weave {

enum class Kind {
  thinking,  // redacted thinking counts as thinking
  response,
  tool_request,
  tool_result,
  human_input,
  human_attachment,
  program_input,
  result_attachment,
  compaction,
  other,  // summary, failure, unknown
};
Kind kind_of(const transcript::Block& block);
// The kind of a thought, from its type after the slash and the role of its turn.
Kind kind_of(std::string_view thought_kind, transcript::Role role);

// A woven block, as the rules see it.
struct Ref {
  Cid cid;
  Kind kind = Kind::other;
  Millis time = 0;
  bool shared = false;  // it was in the web before this conversation wove it
  // Its name before it was sealed, which what rests on it states: so a fork has the same thoughts
  // as its origin. Not part of a saved state.
  std::optional<Cid> said{};
};

struct Edge {
  std::string_view relation;  // a constant
  Ref from;
  std::string_view label;  // a constant
};

// The causes of a block, and the edges that lead to it.
struct Causes {
  std::vector<Ref> because;
  std::vector<Edge> edges;
  std::string tool_name;  // of a result: its own name for its tool, else its call's
};

// The end of a turn: what the causes of a following turn are computed from.
struct TurnEnd {
  transcript::Role role = transcript::Role::system;
  std::optional<Ref> last{};      // its last block
  std::optional<Ref> response{};  // its last response
  std::vector<Ref> inputs{};      // of a human turn: the person's inputs
};

class CauseTracker {
 public:
  // Begins a turn after the open one.
  void open_turn(transcript::Role role);
  // Begins a turn on a branch: after another turn than the open one.
  void open_branch(transcript::Role role, const TurnEnd& after);
  // The current end of the open turn.
  TurnEnd end() const;

  // The causes of the next block in order. Begins a step if the block is its first.
  Causes causes(const transcript::Block& block);
  // Adds the same block after weaving, so that later blocks can refer to it.
  void record(const transcript::Block& block, const Ref& ref);

  // The documents attached by a person so far, for citations by index.
  const std::vector<Cid>& documents() const { return documents_; }

  // A call that is open or was answered recently and spawned a conversation; and its result, if
  // that came and is the call's outcome.
  struct Spawning {
    Ref call;
    std::optional<Ref> result{};
  };
  // Notes that the call spawned a conversation, in the background or not. Empty if it is not known.
  std::optional<Spawning> note_spawning(std::string_view id, bool in_background);
  // The call with that id, if it was noted as spawning.
  std::optional<Spawning> spawning(std::string_view id) const;

  void archive(StateArchive& a);

 private:
  struct Step {
    std::string message_id;  // empty for a run
    bool open = true;
    std::vector<Ref> news{};
    std::optional<Ref> thinking{};
    void archive(StateArchive& a);
  };
  struct Call {
    std::string id;  // empty where the source has none
    std::string name;
    Ref ref;
    std::optional<Ref> result{};  // the newest
    bool is_spawning = false;
    bool is_in_background = false;
    Spawning spawning() const;
    void archive(StateArchive& a);
  };

  Step& step_of(const transcript::Block& block);
  const Call* find_call(const transcript::ToolResult& result) const;
  Call* find_call(const transcript::ToolResult& result);
  template <class Found, class Tracker>
  static Found* find_call_in(Tracker& tracker, const transcript::ToolResult& result);
  void answer_call(const transcript::ToolResult& result, const Ref& ref);
  void add_news(const Ref& ref);
  void end_run();
  Causes of_thinking(Step& step) const;
  Causes of_response(const Step& step) const;
  Causes of_request(const Step& step) const;
  Causes of_result(const transcript::ToolResult& result) const;
  Causes of_human(Kind kind) const;
  void add_prompt_edges(Causes& causes, std::string_view label) const;

  std::optional<Ref> last_;           // the block before
  std::optional<Ref> turn_last_;      // the last block of this turn
  std::optional<Ref> turn_response_;  // the last response of this turn
  std::optional<Ref> turn_thinking_;  // the nearest thinking of this turn
  std::vector<Ref> prior_;            // what a human turn answers to
  std::vector<Ref> opening_;          // the inputs that opened this turn
  bool model_spoke_ = false;          // in this turn
  transcript::Role role_ = transcript::Role::system;
  std::vector<Ref> news_;   // in no step's news yet
  std::deque<Step> steps_;  // the newest last; only a few can still grow
  std::optional<Ref> last_result_;
  std::deque<Call> open_calls_;      // the newest last
  std::deque<Call> answered_calls_;  // a result may come twice
  std::vector<Cid> documents_;
};

}  // namespace weft::weave

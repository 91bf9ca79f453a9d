// The transcript model: conversations of turns of blocks, as plain values. Every format is read
// into it. Copying a value copies it whole.
//
// A reader emits a conversation piece by piece to a Sink, record by record, so a file of any
// size is read in bounded memory. `Collector` is a sink that keeps everything, for tests and
// small inputs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "weft/transcript/block.hpp"
#include "weft/transcript/request.hpp"

namespace weft::transcript {

enum class Role { human, assistant, system };
std::string_view to_string(Role role);
std::optional<Role> parse_role(std::string_view text);

struct Usage {
  std::int64_t input = 0, output = 0, cache_read = 0, cache_write = 0;
  friend bool operator==(const Usage&, const Usage&) = default;
};

// The changing properties of a conversation. Empty if the source does not state them.
struct Facts {
  std::optional<std::string> title, summary, project, cwd, git_branch, account;
  std::vector<std::string> tools;  // offered to the model, where the source lists them
  json::array tool_definitions{};  // the same as the source defines them, where it does
  std::optional<Usage> usage;      // totals so far, by the format's own meaning
  std::optional<Millis> updated_at;
  // A helper that a harness runs for itself, such as a compaction agent. Never false.
  std::optional<bool> internal{};

  // Overwrites these with all facts that `newer` has.
  void merge(const Facts& newer);
  friend bool operator==(const Facts&, const Facts&) = default;
};

// The properties of a conversation that never change.
struct Heading {
  std::string format;    // the adapter's name: "claude-code"
  std::string family;    // the first half of its thoughts' types: "anthropic"
  std::string program;   // the harness around the model: "claude-code"
  std::string provider;  // of its models, where the format is one provider's; else empty
  std::string session_id;
  std::string source = "primary";  // or "subagent:<id>"
  friend bool operator==(const Heading&, const Heading&) = default;
};

struct TurnHead {
  Role role = Role::human;
  // The turn's own name in its source; if it has none, the adapter counts ("#3")
  // and sets `counted`, so that the name stays out of the thought.
  std::string source_id;
  bool counted = false;
  // The source_id of the turn that this one follows, in formats with branches; "" if it
  // follows none, though others came before it; where it is left out, the turn before it in
  // the source.
  std::optional<std::string> parent;
  friend bool operator==(const TurnHead&, const TurnHead&) = default;
};

struct Turn {
  TurnHead head;
  std::uint64_t sequence = 0;  // by first appearance
  std::vector<Block> blocks;
  friend bool operator==(const Turn&, const Turn&) = default;
};

// The origin of a conversation: the call that spawned it, or the conversation that it was forked
// or resumed from. Both are of its own format.
struct Origin {
  enum class Kind { spawned, continued };
  Kind kind = Kind::spawned;
  std::string session_id;  // of the other conversation
  // For a spawned conversation: the id of the call, or the name that the other conversation gives
  // to the agent (Spawned::agent); whichever the source states.
  std::optional<std::string> call_id{}, agent{};
  friend bool operator==(const Origin&, const Origin&) = default;
};

// A call of this conversation that may spawn another one, and whom it spawned.
struct Spawned {
  std::string call_id;
  std::optional<std::string> agent{};  // as the source names it; empty before it is known
  // Where the outcome of the call stands.
  enum class Outcome {
    result,  // in the call's result
    later,   // the agent runs in the background: the result only says that it was started
    here,    // in the block before this: the notification that such an agent has ended
  };
  Outcome outcome = Outcome::result;
  friend bool operator==(const Spawned&, const Spawned&) = default;
};

// A record that is not used, and the reason: "progress", "duplicate", "malformed: …".
struct Skipped {
  std::uint64_t line = 0;  // 1-based; 0 where lines mean nothing
  std::string reason;      // never quotes the text
  friend bool operator==(const Skipped&, const Skipped&) = default;
};

// The receiver of what a reader emits. Everything after heading() belongs to that
// conversation until the next heading(); the heading of an earlier conversation continues it.
class Sink {
 public:
  virtual ~Sink() = default;
  virtual void heading(const Heading& heading) = 0;
  // The blocks that follow are in it. Emitted again with a source_id that the
  // conversation has, it continues the turn of that name.
  virtual void turn(const TurnHead& head) = 0;
  // The receiver may take its texts and values.
  virtual void block(Block&& block) = 0;
  virtual void facts(const Facts& facts) = 0;  // merged over those before
  // A model request of the current conversation. Emitted again under the same names, it restates
  // the request: the counts of the larger one hold.
  virtual void request(const Request& request) = 0;
  // The origin of the current conversation, emitted as soon as it is known. Earlier ones stay.
  virtual void origin(const Origin& origin) = 0;
  // After the call's own block; may be emitted again as more becomes known.
  virtual void spawned(const Spawned& spawned) = 0;
  virtual void skip(Skipped skipped) = 0;
  virtual void repaired(std::size_t count) = 0;  // broken characters made U+FFFD
};

struct Conversation {
  Heading heading;
  Facts facts;
  std::vector<Turn> turns;
  std::vector<Origin> origins{};
  std::vector<Spawned> spawned{};
  std::vector<Request> requests{};  // as emitted
  friend bool operator==(const Conversation&, const Conversation&) = default;
};

// A turn emitted again with the same source_id is continued by the blocks that follow.
class Collector : public Sink {
 public:
  std::vector<Conversation> conversations;
  std::vector<Skipped> skipped;
  std::size_t repairs = 0;

  void heading(const Heading& heading) override;
  void turn(const TurnHead& head) override;
  void block(Block&& block) override;
  void facts(const Facts& facts) override;
  void request(const Request& request) override;
  void origin(const Origin& origin) override;
  void spawned(const Spawned& spawned) override;
  void skip(Skipped skipped_record) override;
  void repaired(std::size_t count) override;

 private:
  struct Turns {
    std::unordered_map<std::string, std::size_t> by_id;
    std::size_t current = 0;
  };
  std::vector<Turns> turns_;  // for each conversation
  std::size_t current_ = 0;
};

}  // namespace weft::transcript

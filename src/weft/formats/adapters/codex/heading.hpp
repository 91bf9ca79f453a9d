// The heading of a Codex session: its thread, the session that it is a subagent or fork of, and how
// far it only repeats that one.
//
// The first session_meta is the file's own. A fork may contain a copy of its parent, whose
// session_meta comes next. The records of the copy are emitted like any others, since the parent
// may be gone and equal thoughts are shared; but their usage belongs to the parent.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "weft/formats/adapter.hpp"
#include "weft/formats/adapters/codex/line.hpp"

namespace weft {
class StateArchive;
}

namespace weft::formats::codex {

class HeadingBuilder {
 public:
  explicit HeadingBuilder(const SourceInfo& info);

  bool has_begun() const { return has_begun_; }
  // Whether it is a helper that the harness started for itself.
  bool is_internal() const { return is_internal_; }
  bool is_subagent() const { return heading_.source != "primary"; }
  // Whether the current records are a copy of the parent's.
  bool is_replay() const { return is_replay_; }

  // Begins with the file's own session_meta, or exec's thread.started.
  void begin(const json::object& meta, const Line& line, std::string_view text,
             transcript::Sink& sink);
  // Begins without: the session is named by the file's name, or by its first record's text.
  void begin_without_meta(std::string_view text, transcript::Sink& sink);
  // Emits the heading to a sink that is new to it.
  void resume(transcript::Sink& sink);
  // Whether `meta` names another thread than this one.
  bool is_other(const json::object& meta) const;
  // Adds a session_meta after the first. False if it is the same again.
  bool add_ancestor(const json::object& meta);
  // Ends the replay if this record is not of the copy.
  void pass(const Line& line);

  void archive(StateArchive& a);

 private:
  void emit_origins(const json::object& meta, transcript::Sink& sink) const;
  void settle(std::string_view text, transcript::Sink& sink);

  SourceInfo info_;
  transcript::Heading heading_;
  std::string thread_;  // its own id, if it has one
  bool has_begun_ = false;
  bool is_internal_ = false;
  bool is_replay_ = false;
  bool has_turn_ids_ = false;             // the replay names turns by their time
  std::optional<std::int64_t> own_from_;  // the ordinal at which its own records begin
  std::optional<Millis> start_;
  bool is_emitted_ = false;  // to the sink at hand: not after archive() has read it
};

// The last UUID in a rollout's name; empty if it has none.
std::string thread_of_file(std::string_view name);
// A reverted thread's new file has a second one: "rollout-…-<thread>_<rollout>.jsonl".
std::string rollout_of_file(std::string_view name);

}  // namespace weft::formats::codex

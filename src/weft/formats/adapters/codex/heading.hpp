// What a file says of itself: which thread it is, whose subagent or fork, and how far it only
// repeats its parent.
//
// The first session_meta is the file's own. A fork may go on with a copy of its parent, whose
// session_meta comes next: its records are told like any others, since the parent may be gone
// and thoughts that are equal are shared; but what they used was used in the parent.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "weft/formats/adapter.hpp"
#include "weft/formats/adapters/codex/line.hpp"

namespace weft::formats::codex {

class HeadingBuilder {
 public:
  explicit HeadingBuilder(const SourceInfo& info);

  bool has_begun() const { return has_begun_; }
  // A helper that the harness started for itself.
  bool is_internal() const { return is_internal_; }
  bool is_subagent() const { return heading_.source != "primary"; }
  // The records at hand are a copy of the parent's.
  bool is_replay() const { return is_replay_; }

  // The file's own session_meta, or exec's thread.started.
  void begin(const json::object& meta, const Line& line, std::string_view text,
             transcript::Sink& sink);
  // The session gets its name from the file's, or from its first record's text.
  void begin_without_meta(std::string_view text, transcript::Sink& sink);
  // To a sink that is new to it.
  void resume(transcript::Sink& sink);
  // Whether it names another thread than this one.
  bool is_other(const json::object& meta) const;
  // A session_meta after the first: false if it is the same again.
  bool take_ancestor(const json::object& meta);
  // Whether the replay ends before this record.
  void pass(const Line& line);

  json::object save() const;
  // False if `state` is not what save() gave.
  [[nodiscard]] bool restore(const json::object& state);

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
  bool is_emitted_ = false;  // to the sink at hand: not after restore()
};

// The last UUID in a rollout's name; empty where there is none.
std::string thread_of_file(std::string_view name);
// A reverted thread's new file has a second one: "rollout-…-<thread>_<rollout>.jsonl".
std::string rollout_of_file(std::string_view name);

}  // namespace weft::formats::codex

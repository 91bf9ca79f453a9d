// The class behind codex/session.hpp: what it remembers, and what it does with each record.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/formats/adapter.hpp"
#include "weft/formats/adapters/codex/event_pairing.hpp"
#include "weft/formats/adapters/codex/events.hpp"
#include "weft/formats/adapters/codex/heading.hpp"
#include "weft/formats/adapters/codex/reader_memory.hpp"
#include "weft/formats/adapters/codex/turns.hpp"

namespace weft::formats::codex {

class SessionReader final : public Reader {
 public:
  explicit SessionReader(const SourceInfo& info)
      : fallback_model_(info.model), rollout_(rollout_of_file(info.name)), heading_(info) {}

  void read(const Record& record, transcript::Sink& sink) override;
  // What still waits for its item is told: the item may never come. If it does, it stands in
  // the same place.
  void finish(transcript::Sink& sink) override {
    if (heading_.has_begun() && !echoes_.pending().empty()) {
      heading_.resume(sink);
      emit_pending(echoes_.release(), sink);
    }
  }

  std::string save() const override;
  Status restore(std::string_view state) override;

 private:
  struct Source {
    std::string_view text;
    std::uint64_t line = 0;
    bool is_inexact = false;
  };

  void read_object(const Source& source, const json::object& object, transcript::Sink& sink);
  void read_meta(const Source& source, const Line& line, transcript::Sink& sink);
  void read_context(const Source& source, const json::object& payload, transcript::Sink& sink);
  void read_item(const Source& source, const Line& line, transcript::Sink& sink);
  void read_event(const Source& source, const Line& line, transcript::Sink& sink);
  void read_echo(const Source& source, const Line& line, Event event, transcript::Sink& sink);
  void read_tool(const Source& source, const Line& line, Event event, transcript::Sink& sink);
  void read_usage(const Source& source, const json::object& payload, transcript::Sink& sink);
  void read_exec(const Source& source, const Line& line, transcript::Sink& sink);

  People people() const {
    return heading_.is_subagent() && !heading_.is_replay() ? People::no : People::yes;
  }
  std::string counted_place(std::string_view prefix = "") const;
  std::string place_of(const json::object& payload);
  void emit(const Source& source, const Line& line, std::string place, Utterance utterance,
            transcript::Sink& sink);
  void emit_unknown(const Source& source, const Line& line, transcript::Sink& sink);
  void emit_failure(const Source& source, const Line& line, Utterance failure,
                    transcript::Sink& sink);
  void emit_pending(std::vector<PendingEvent> events, transcript::Sink& sink);
  void emit_blocks(std::string place, Utterance utterance, std::optional<Millis> time,
                   transcript::Sink& sink);
  void emit_title(const Utterance& utterance, transcript::Sink& sink);
  void emit_spawned(const std::vector<AuthoredBlock>& blocks, transcript::Sink& sink);
  static void skip(const Source& source, std::string_view reason, transcript::Sink& sink) {
    sink.skip({source.line, std::string(reason)});
  }

  std::optional<std::string> fallback_model_;
  std::string rollout_;  // of a reverted thread's second file
  HeadingBuilder heading_;
  SessionTurns turns_;
  EventPairing echoes_;
  UsageCount usage_;
  std::uint64_t number_ = 0;  // records so far
  std::string model_;         // of the turn at hand
  std::string cwd_;
  std::int64_t title_ = 0;    // 0: none, 1: the first prompt, 2: given by name
  std::int64_t failure_ = 0;  // hash of the one told last in this turn
  // An id that comes again after so many others stands for its record's first form; a line
  // that does is told again; an event of so old a call is told as a call of its own.
  Recent ids_{64}, lines_{32}, item_calls_{128}, event_calls_{32}, spawn_calls_{32};
};

}  // namespace weft::formats::codex

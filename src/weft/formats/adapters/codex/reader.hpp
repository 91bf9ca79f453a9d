// SessionReader: the reader behind codex/session.hpp, with its state.
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
#include "weft/formats/adapters/codex/rollback.hpp"
#include "weft/formats/reading/json_reader.hpp"
#include "weft/formats/reading/turn_emitter.hpp"

namespace weft::formats::codex {

class SessionReader final : public JsonReader {
 public:
  explicit SessionReader(const SourceInfo& info)
      : JsonReader(kName),
        fallback_model_(info.model),
        rollout_(rollout_of_file(info.name)),
        heading_(info) {}

  // Emits the pending events: their items may never come. An item that does come has the place of
  // its event.
  void finish(transcript::Sink& sink) override {
    if (heading_.has_begun() && !pairing_.pending().empty()) {
      heading_.resume(sink);
      emit_pending(pairing_.release(), sink);
    }
  }

 private:
  void read_record(JsonRecord record, transcript::Sink& sink) override;
  std::optional<std::string_view> find_whole(std::string_view text) const override;
  void archive(StateArchive& a) override;

  void read_object(const JsonRecord& record, const json::object& object, transcript::Sink& sink);
  void read_meta(const JsonRecord& record, const Line& line, transcript::Sink& sink);
  void read_context(const JsonRecord& record, const json::object& payload, transcript::Sink& sink);
  void read_item(const JsonRecord& record, const Line& line, transcript::Sink& sink);
  void read_event(const JsonRecord& record, const Line& line, transcript::Sink& sink);
  void read_message(const JsonRecord& record, const Line& line, Event event,
                    transcript::Sink& sink);
  void read_tool(const JsonRecord& record, const Line& line, Event event, transcript::Sink& sink);
  void read_usage(const JsonRecord& record, const Line& line, transcript::Sink& sink);
  void emit_request(const Line& line, transcript::Sink& sink);
  void read_exec(const JsonRecord& record, const Line& line, transcript::Sink& sink);

  Prompter prompter() const {
    return heading_.is_subagent() && !heading_.is_replay() ? Prompter::program : Prompter::person;
  }
  std::string counted_place(const JsonRecord& record, std::string_view prefix = "") const;
  std::string place_of(const JsonRecord& record, const json::object& payload);
  void emit(const JsonRecord& record, const Line& line, std::string place, ItemContent content,
            transcript::Sink& sink);
  void emit_unknown(const JsonRecord& record, const Line& line, transcript::Sink& sink);
  void emit_failure(const JsonRecord& record, const Line& line, ItemContent failure,
                    transcript::Sink& sink);
  void emit_pending(std::vector<PendingEvent> events, transcript::Sink& sink);
  void emit_blocks(std::string place, ItemContent content, std::optional<Millis> time,
                   transcript::Sink& sink);
  void emit_title(const ItemContent& content, transcript::Sink& sink);
  void emit_spawned(const std::vector<AuthoredBlock>& blocks, transcript::Sink& sink);
  static void skip(const JsonRecord& record, std::string_view reason, transcript::Sink& sink) {
    sink.skip({record.line, std::string(reason)});
  }

  std::optional<std::string> fallback_model_;
  std::string rollout_;  // of a reverted thread's second file
  HeadingBuilder heading_;
  TurnEmitter turns_;
  RollbackBranch branch_;
  EventPairing pairing_;
  UsageCount usage_;
  std::string model_;  // of the running turn
  std::string cwd_;
  std::int64_t title_ = 0;    // 0: none, 1: the first prompt, 2: given by name
  std::int64_t failure_ = 0;  // hash of the last one emitted in this turn
  // Windows on the ids and texts seen. A repetition after that many others is not recognised: of
  // an id, the record replaces the first one; of a line, it is emitted again; of a call, its event
  // is emitted as another call.
  Recent ids_{64}, lines_{32}, item_calls_{128}, event_calls_{32}, spawn_calls_{32};
};

}  // namespace weft::formats::codex

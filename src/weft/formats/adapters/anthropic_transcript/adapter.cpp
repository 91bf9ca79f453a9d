// Anthropic transcripts: sections of a role, "Content:", and a JSON array of blocks,
//
//   Title: A walk
//   Human:
//   Content:
//   [{"type": "text", "text": "Where to?", "start_timestamp": "2026-02-01T14:42:13Z"}]
//
//   ================================================================================
//
// or the same as JSON: an array of {role, content}, or an object with the array under
// "turns" (or "messages") beside title, model, session_id and the like.
#include "weft/formats/adapters/anthropic_transcript/transcript.hpp"

#include <algorithm>
#include <utility>

#include "weft/base/utf8.hpp"
#include "weft/formats/adapters/anthropic_transcript/sections.hpp"
#include "weft/formats/adapters/anthropic_transcript/turns.hpp"
#include "weft/formats/reading/json_reader.hpp"
#include "weft/formats/reading/text.hpp"

namespace weft::formats {
namespace {

using anthropic::Section;
using transcript::Sink;

bool is_json(std::string_view text) {
  return text.find_first_of("[{\"-0123456789") == 0 || text == "null" || text == "true" ||
         text == "false";
}

class TranscriptReader final : public Reader {
 public:
  explicit TranscriptReader(const SourceInfo& info) : builder_(info.model) {}

  void read(const Record& record, Sink& sink) override {
    std::string storage;
    std::size_t repairs = 0;
    Record repaired = record;
    repaired.text = repair_json(record.text, storage, repairs);
    if (repairs > 0) sink.repaired(repairs);
    if (record.stray) {
      sink.skip({record.line, "malformed: stands outside of the turns"});
    } else if (!record.member.empty()) {
      read_member(repaired, sink);
    } else if (is_json(repaired.text)) {
      read_turn(repaired, record.text, sink);
    } else {
      read_sections(repaired, record.text, sink);
    }
  }

  void finish(Sink& sink) override { builder_.finish(sink); }

  json::object save() const override { return save_object(builder_); }
  Status restore(const json::object& state) override {
    StateArchive a(state);
    builder_.archive(a);
    return check_restored(a, anthropic::kTranscriptName);
  }

 private:
  void read_member(const Record& record, Sink& sink) {
    const auto parsed = parse_or_skip(record.text, record.line, sink);
    if (!parsed || parsed->value.is_null()) return;
    const json::string* text = parsed->value.if_string();
    const std::string key = normal_key(record.member);
    if (text == nullptr || !builder_.set(key, view(*text), record.line, sink)) {
      sink.skip({record.line, "unmapped member"});
    }
  }

  void read_turn(const Record& record, std::string_view raw, Sink& sink) {
    builder_.emit(anthropic::parse_turn(record, sink), raw, sink);
  }

  void read_sections(const Record& record, std::string_view raw, Sink& sink) {
    const anthropic::OnMetadata metadata = [&](std::string_view key, std::string_view value,
                                               std::uint64_t line) {
      return builder_.set(key, value, line, sink);
    };
    const anthropic::OnSection section = [&](Section found) {
      builder_.emit(std::move(found), raw, sink);
    };
    anthropic::parse_sections(record, metadata, section, sink);
  }

  anthropic::TranscriptTurns builder_;
};

std::unique_ptr<Framer> frame(std::string_view head) {
  const std::size_t first = head.find_first_not_of(" \t\r\n");
  const bool is_document =
      first != std::string_view::npos && (head[first] == '[' || head[first] == '{');
  return is_document ? json_framer({"turns", "messages"}) : section_framer();
}

std::unique_ptr<Reader> open(const SourceInfo& info) {
  return std::make_unique<TranscriptReader>(info);
}

}  // namespace

const Adapter& anthropic_transcript_adapter() {
  static constexpr Adapter adapter{
      .name = anthropic::kTranscriptName,
      .family = "anthropic",
      .version = 2,
      .recognises = anthropic::recognises_transcript,
      .frame = frame,
      .open = open,
      .write = anthropic::write_transcript,
  };
  return adapter;
}

}  // namespace weft::formats

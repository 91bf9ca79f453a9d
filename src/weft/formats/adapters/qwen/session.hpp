// SessionReader: reads a session of Qwen Code, record by record.
//
// Records form a tree, each naming the one that it follows; as a rule that is the line before.
// One that follows another begins a new turn, which names the turn that it branches from.
// Records without content (telemetry, snapshots, a rewind) are links of the chain and are bridged.
// A record may come in two lines of the same name: the second continues where the first ended.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "weft/formats/adapters/qwen/reading.hpp"
#include "weft/formats/reading/entry_window.hpp"
#include "weft/formats/reading/json_reader.hpp"
#include "weft/formats/reading/reader_windows.hpp"
#include "weft/formats/reading/turn_builder.hpp"

namespace weft::formats::qwen {

inline constexpr std::string_view kName = "qwen";

class SessionReader final : public JsonReader {
 public:
  explicit SessionReader(const SourceInfo& info) : JsonReader(kName), info_(info) {}
  void finish(transcript::Sink& sink) override;

 private:
  void read_record(JsonRecord record, transcript::Sink& sink) override;
  std::optional<std::string_view> find_whole(std::string_view text) const override;
  void archive(StateArchive& a) override;

  void settle(const Entry& entry);
  void begin(std::string_view raw, transcript::Sink& sink);
  void emit_origin(transcript::Sink& sink);
  // Whether facts are all that the record has.
  bool read_facts(const Entry& entry, const Reading& reading, transcript::Sink& sink);
  bool is_echo(const Reading& reading) const;
  void emit(const Entry& entry, Fingerprint fingerprint, Reading reading, const JsonRecord& record,
            transcript::Sink& sink);
  void emit_circumstances(const Entry& entry, const Reading& reading, transcript::Sink& sink);
  bool count_usage(const Entry& entry, const std::string& place, transcript::Sink& sink);

  TreePosition parent_of(const Entry& entry, Fingerprint fingerprint) const;
  void set_position(const Entry& entry, Fingerprint fingerprint, TreePosition position);

  SourceInfo info_;
  bool is_settled_ = false;  // it is known what the file is
  std::string session_, agent_;
  std::string forked_from_, spawned_by_;  // other sessions
  std::string cwd_, branch_;
  std::uint64_t words_ = 0;  // hash of a person's last words, until the model answers
  TurnBuilder builder_;
  EntryWindow window_;
  TreePosition tip_;  // of the line before
  std::uint64_t last_emitted_ = 0;
  std::string last_place_;        // of the record that was emitted last
  std::uint32_t next_index_ = 0;  // in it
  UsageSum usage_;
  UsageCounter counted_;
};

}  // namespace weft::formats::qwen

// SessionReader: reads a chat of Gemini CLI, record by record: the members and messages of a
// document, or the lines of a log.
//
// A log is replayed: a message is written again when it has grown, `$set` changes facts of the
// chat,
// `$rewindTo` withdraws a message and all behind it. Withdrawn messages are kept; the next message
// begins a turn that follows the one gone back to. A history that `$set` restates lacks what the
// harness masked in it, so only its new messages are emitted.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "weft/formats/adapters/gemini/message.hpp"
#include "weft/formats/adapters/gemini/trail.hpp"
#include "weft/formats/reading/json_reader.hpp"
#include "weft/formats/reading/reader_windows.hpp"
#include "weft/formats/reading/recent.hpp"
#include "weft/formats/reading/turn_builder.hpp"

namespace weft::formats::gemini {

inline constexpr std::string_view kName = "gemini";

class SessionReader final : public JsonReader {
 public:
  explicit SessionReader(const SourceInfo& info) : JsonReader(kName), info_(info) {}
  void finish(transcript::Sink& sink) override;

 private:
  // Remembered blocks. One that is repeated after that many others is emitted again in its old
  // place, which adds nothing.
  static constexpr std::size_t kEmitted = 256;
  // Of a summary or a path, in code points: facts noted early are saved with every line.
  static constexpr std::size_t kLongest = 4000;
  // Calls whose results may come twice. The result of an older call is emitted again.
  static constexpr std::size_t kAnswers = 128;

  enum class Restated { no, yes };

  void read_record(JsonRecord record, transcript::Sink& sink) override;
  std::optional<std::string_view> find_whole(std::string_view text) const override;
  void archive(StateArchive& a) override;

  void read_member(const JsonRecord& record, transcript::Sink& sink);
  void read_rewind(std::string_view id, std::uint64_t line, transcript::Sink& sink);
  // Whether it had any facts.
  bool read_metadata(const json::object& metadata, const JsonRecord& record,
                     transcript::Sink& sink);
  // Why nothing was emitted; empty if something was.
  std::string_view read_message(const json::object& object, const JsonRecord& record,
                                Restated restated, transcript::Sink& sink);
  void read_unknown(const JsonRecord& record, transcript::Sink& sink);

  void begin(std::string_view raw, transcript::Sink& sink);
  void note_place(transcript::Sink& sink);
  void set_folder(std::string_view folder, transcript::Sink& sink);
  bool is_old_news(const Message& message) const;
  // Why nothing is left of it; empty if something is.
  std::string_view drop_repeats(Message& message, const std::string& place);
  void emit(Message& message, const std::string& place, transcript::Sink& sink);
  void emit_late(Message& message, const std::string& place, const std::string& turn,
                 transcript::Sink& sink);
  void emit_facts(const Message& message, transcript::Sink& sink);
  std::string nameless() { return "#" + std::to_string(++nameless_); }
  std::optional<std::string> parent() const;

  SourceInfo info_;
  std::string session_;  // its own id, if known
  bool is_subagent_ = false;
  bool has_folder_ = false;
  std::uint64_t nameless_ = 0;    // messages without an id so far
  std::optional<Millis> newest_;  // of the messages so far
  TurnBuilder builder_;
  Trail trail_;
  Recent emitted_{kEmitted};
  // Calls that were answered in their own message, and in a message of the role user.
  Recent answered_{kAnswers}, replied_{kAnswers};
  UsageSum usage_;
  UsageCounter counted_;
};

}  // namespace weft::formats::gemini

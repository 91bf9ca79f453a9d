// A format that weft reads: one Adapter, in one file of adapters/, found by the build.
//
// An adapter reads records and tells values: no files, no clock, no logging, so it
// can be fuzzed as it stands, fed in pieces by a tailer, and resumed from its own
// state. docs/adapters.md says how to write one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weft/base/result.hpp"
#include "weft/formats/database_shape.hpp"
#include "weft/formats/framing/framing.hpp"
#include "weft/formats/tree_shape.hpp"
#include "weft/transcript/conversation.hpp"

namespace weft::formats {

// What a format is recognised by: a file's first bytes, without a byte order mark.
inline constexpr std::size_t kHeadBytes = 64u << 10;
// That part of `bytes`; points into them.
std::string_view head_of(std::string_view bytes);

// How sure an adapter is that a file is its own.
enum class Confidence { no, maybe, yes };

// What is known of a file before it is read.
struct SourceInfo {
  std::string name;                  // the file's name, without directories
  std::optional<std::string> model;  // --model: who speaks where the source does not say
  std::string directory{};           // where it lies; empty where that is nowhere
  std::string project{};             // as Adapter::project has it
  // How many beginnings of conversations a log of requests remembers; 0 for as many as it likes.
  std::size_t most_marks = 0;
  // The text of another file that its tool keeps for it, by a path relative to `directory`
  // that leads down from there, or from as many folders above it as Adapter::reach says; empty
  // if there is none or it is too large. Null where nothing is beside.
  std::function<std::optional<std::string>(std::string_view relative)> beside{};
  // Whether there is such a file, of any size. May be null where `beside` is not.
  std::function<bool(std::string_view relative)> has_beside{};
  // The names of the files in a folder there, sorted; the same limits. Null where nothing is.
  std::function<std::vector<std::string>(std::string_view relative)> list{};
};

// A variable of the environment; empty where it is not set.
using Environment = std::function<std::optional<std::string>(std::string_view name)>;

// Takes records one by one, in order. Whatever it does not map it reports as
// skipped: mapped + skipped = all. It may be saved and restored between any two
// records, and goes on as if nothing had happened: to a sink that is new to it, it tells
// heading and turn again.
class Reader {
 public:
  virtual ~Reader() = default;
  virtual void read(const Record& record, transcript::Sink& sink) = 0;
  // No more records for now: whatever was held back is told.
  virtual void finish(transcript::Sink& sink) = 0;
  virtual std::string save() const = 0;
  // corrupt if `state` is not what save() wrote.
  [[nodiscard]] virtual Status restore(std::string_view state) = 0;
};

// A conversation in a format, and what was left out of it or made up for the format's sake.
struct Written {
  std::string text;
  std::vector<std::string> notes{};  // "2 × failure, left out": no words of the conversation's
};

struct Adapter {
  std::string_view name;    // as the user types it: "claude-code"
  std::string_view family;  // the first half of its thoughts' types: "anthropic"
  int version = 1;          // raised when the same bytes would give other values
  // Decides on head_of() the file, which may end anywhere within it.
  Confidence (*recognises)(std::string_view head);
  std::unique_ptr<Framer> (*frame)(std::string_view head);
  std::unique_ptr<Reader> (*open)(const SourceInfo& info);

  // Its files only ever grow by whole records: reading goes on where it stopped. Only with
  // line_framer(). All others are read anew, whole, when they have changed.
  bool grows = false;
  // The folders in which its tool keeps conversations on this machine, there or not; null
  // where it keeps none. HOME and the like come from `environment`.
  std::vector<std::string> (*folders)(const Environment& environment) = nullptr;
  // Why a file is left alone for its name's sake ("backup", "sidecar", "internal"); empty if
  // it is to be read. `path` may be of any depth. Null: none is.
  std::optional<std::string> (*ignore_reason)(std::string_view path) = nullptr;
  // The same of a folder, with all that is in it: it is not looked into. Null: none is.
  std::optional<std::string> (*ignore_folder_reason)(std::string_view path) = nullptr;
  // The project that a conversation is of, from where its file lies and how it begins; empty
  // where neither tells. One project's name never depends on another's. Null: none has one.
  std::string (*project)(std::string_view path, std::string_view head) = nullptr;
  // How many folders above a file's own its tool keeps what is of it. No further than that:
  // a transcript may be hostile, and secrets may lie there.
  int reach = 1;
  // Where its conversations may also lie in SQLite databases; null where they do not.
  const DatabaseShape* database = nullptr;
  // Where its conversations may also lie in many small files each; null where they do not.
  const TreeShape* tree = nullptr;

  // Writes a conversation in this format; null where that makes no sense. What it
  // writes reads back to the same blocks, as far as the format can hold them.
  Result<Written> (*write)(const transcript::Conversation& conversation) = nullptr;
  // How what it writes is called, where that is not the adapter's name: it may read more.
  std::string_view writes_as{};
};

// Every adapter of the build, by name.
std::span<const Adapter* const> all_adapters();

// Empty if there is none of that name.
const Adapter* find_adapter(std::string_view name);

// All names under which conversations can be written, and who writes them so; null for a name
// that is not among them.
std::vector<std::string_view> all_forms();
const Adapter* find_form(std::string_view name);

// The one adapter that is surest of `head`, a file's first kHeadBytes or more.
// invalid_input, naming what was seen, if none claims it or two claim it alike.
Result<const Adapter*> recognise(std::string_view head);

// Reads all of `bytes` with `adapter`: frame, read, finish. For tests and small inputs.
void read_all(const Adapter& adapter, const SourceInfo& info, std::string_view bytes,
              transcript::Sink& sink);

// How a record beyond kMaxRecordBytes is reported.
transcript::Skipped skipped_oversize(std::uint64_t line, std::uint64_t bytes);

}  // namespace weft::formats

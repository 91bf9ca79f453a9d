// Reader: reads the records of one source and emits its conversations to a Sink.
//
// A reader opens no files, asks no clock and logs nothing. It can therefore be fuzzed as it
// stands, fed in pieces while a file grows, and resumed from its own saved state.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/base/json.hpp"
#include "weft/base/result.hpp"
#include "weft/formats/framing/framing.hpp"
#include "weft/transcript/conversation.hpp"

namespace weft::formats {

// Facts about a file that are known before it is read.
struct SourceInfo {
  std::string name;                  // the file's name, without directories
  std::optional<std::string> model;  // --model: the speaker where the source names none
  std::string directory{};           // the file's folder; empty if it is in none
  std::string project{};             // as Adapter::project gives it
  // Number of conversation beginnings that a log of requests remembers; 0 for its default.
  std::size_t most_marks = 0;
  // The text of another file that the tool keeps for this one, by a path relative to
  // `directory`. The path leads down from there, or from as many folders above as
  // Adapter::reach allows. Empty if there is no such file or it is too large. Null if the source
  // has no neighbours.
  std::function<std::optional<std::string>(std::string_view relative)> beside{};
  // Whether there is such a file, of any size. May be null where `beside` is not.
  std::function<bool(std::string_view relative)> has_beside{};
  // The sorted names of the files in such a folder. Null if the source has no neighbours.
  std::function<std::vector<std::string>(std::string_view relative)> list{};
};

// Takes records one by one, in order. A record is either mapped to blocks or reported as skipped:
// mapped + skipped = all. The reader may be saved and restored between any two records, and then
// continues as if nothing had happened; a sink that is new to it gets heading and turn again.
class Reader {
 public:
  virtual ~Reader() = default;
  virtual void read(const Record& record, transcript::Sink& sink) = 0;
  // No more records for now: emits whatever is pending.
  virtual void finish(transcript::Sink& sink) = 0;
  // The state to resume from; docs/formats/state.md has its limits.
  virtual json::object save() const = 0;
  // corrupt if `state` was not written by save(): the reader is then of no use.
  [[nodiscard]] virtual Status restore(const json::object& state) = 0;
};

// The state of a reader where another state contains it: an object, or its text in a state of
// version 0. Empty if it is neither.
std::optional<json::object> parse_reader_state(const json::value& saved);

}  // namespace weft::formats

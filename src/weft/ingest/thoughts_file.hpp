// ThoughtsFile: a file with one thought on each line, as `weft export --as thoughts` writes it.
// It can be read again, as a whole or one line of it, so nobody needs to hold it in memory.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string_view>

#include "weft/base/posix.hpp"
#include "weft/thought/thought.hpp"

namespace weft::ingest {

class ThoughtsFile {
 public:
  // A longer line is not read.
  static constexpr std::size_t kMaxLineBytes = 64u << 20;

  struct Line {
    std::uint64_t number = 1;
    std::uint64_t offset = 0;
    std::string_view text;  // valid during the call; empty if the line is too long
    std::uint64_t bytes = 0;
    bool is_too_long() const { return bytes > kMaxLineBytes; }
  };

  // invalid_input for anything but a regular file, which alone can be read again; not_found,
  // denied, unavailable.
  static Result<ThoughtsFile> open(const std::filesystem::path& path);

  // Calls `visit` with each line that is not blank, until it fails. unavailable if the disk fails.
  Status each_line(const std::function<Status(const Line&)>& visit) const;
  // The thought at the place that each_line() reported. conflict if the file was written to since
  // it was opened.
  Result<thought::Thought> read(std::uint64_t offset, std::uint64_t bytes) const;

 private:
  struct State {
    std::int64_t size = 0, modified_ns = 0, changed_ns = 0;
    friend bool operator==(const State&, const State&) = default;
  };
  ThoughtsFile(std::filesystem::path path, Fd file, State state)
      : path_(std::move(path)), file_(std::move(file)), state_(state) {}
  static Result<State> state_of(int file, const std::filesystem::path& path);

  std::filesystem::path path_;
  Fd file_;
  State state_;
};

// One line. invalid_input with the reason: no JSON, JSON that cannot be kept exactly, no thought,
// or more than kMaxReferences causes.
inline constexpr std::size_t kMaxReferences = 65'536;
Result<thought::Thought> parse_thought_line(std::string_view text);

}  // namespace weft::ingest

// A progress line: shown only on a terminal, by default after a second, and erased when done.
#pragma once

#include <chrono>
#include <cstdio>
#include <string_view>

namespace weft::cli {

class ProgressLine {
 public:
  // Prints nothing unless `out` is a terminal, and nothing before `at_first`.
  explicit ProgressLine(std::FILE* out,
                        std::chrono::milliseconds at_first = std::chrono::seconds(1));
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine() { clear(); }

  // `text` is safe and one line (text.hpp).
  void show(std::string_view text);
  void clear();

 private:
  std::FILE* out_;
  bool on_;
  bool shown_ = false;
  std::chrono::milliseconds at_first_;
  std::chrono::steady_clock::time_point began_;
};

}  // namespace weft::cli

// One moving line while something takes long: only on a terminal, only after a second unless it is
// wanted at once, and gone when it is over.
#pragma once

#include <chrono>
#include <cstdio>
#include <string_view>

namespace weft::cli {

class ProgressLine {
 public:
  // Silent for ever unless `out` is a terminal, and else for `at_first`.
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

// One moving line on stderr while something takes long: only on a terminal, only after a
// second, and gone when it is over.
#pragma once

#include <chrono>
#include <cstdio>
#include <string_view>

namespace weft::cli {

class ProgressLine {
 public:
  // Silent for ever unless `out` is a terminal.
  explicit ProgressLine(std::FILE* out);
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
  std::chrono::steady_clock::time_point began_;
};

}  // namespace weft::cli

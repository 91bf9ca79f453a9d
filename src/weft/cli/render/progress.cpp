#include "weft/cli/render/progress.hpp"

#include "weft/cli/render/terminal.hpp"
#include "weft/cli/render/text.hpp"

namespace weft::cli {

using std::chrono::steady_clock;

ProgressLine::ProgressLine(std::FILE* out, std::chrono::milliseconds at_first)
    : out_(out), on_(is_terminal(out)), at_first_(at_first), began_(steady_clock::now()) {}

void ProgressLine::show(std::string_view text) {
  if (!on_ || steady_clock::now() - began_ < at_first_) return;
  const Style style = style_of(out_, ColourChoice::never, {});
  const std::string line = "\r\x1b[K" + fitted(text, style.width - 1);
  std::fwrite(line.data(), 1, line.size(), out_);
  std::fflush(out_);
  shown_ = true;
}

void ProgressLine::clear() {
  if (!shown_) return;
  std::fputs("\r\x1b[K", out_);
  std::fflush(out_);
  shown_ = false;
}

}  // namespace weft::cli

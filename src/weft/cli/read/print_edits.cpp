#include "weft/cli/read/print_edits.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "weft/cli/read/spans.hpp"
#include "weft/cli/render/figures.hpp"
#include "weft/cli/render/text.hpp"

namespace weft::cli {
namespace {

constexpr std::size_t kFoldedEdits = 40;
constexpr std::size_t kFoldedFile = 12;  // of a file that is written as a whole

Colour colour_of_sign(char sign) {
  switch (sign) {
    case '+': return Colour::green;
    case '-': return Colour::red;
    case '@': return Colour::cyan;
    default: return Colour::faint;
  }
}

}  // namespace

void print_edits(const Edits& edits, const Page& page, bool full, const std::string& cid,
                 const LineSink& print) {
  const bool is_whole_file = edits.added == edits.lines.size();
  const std::size_t limit = is_whole_file ? kFoldedFile : kFoldedEdits;
  // One line more is shorter than the line that says so.
  const bool folds = !full && edits.lines.size() > limit + 1;
  const std::size_t shown = folds ? limit : edits.lines.size();
  for (std::size_t i = 0; i < shown; ++i) {
    const EditLine& line = edits.lines[i];
    const std::string words = without_tabs(made_safe(line.text));
    const std::string sign = line.sign == '@' ? "" : std::string(1, line.sign) + " ";
    for (const std::string& one : wrapped({{sign + words, colour_of_sign(line.sign)}}, page.style,
                                          page.columns, {page.indent, page.indent + "    "})) {
      print(one);
    }
  }
  if (!folds) return;
  const std::string more =
      fmt::format("… {} more lines: weft get {}", count(edits.lines.size() - shown), cid);
  const std::size_t used = page.indent.size();
  print(page.indent +
        page.style.paint(Colour::faint, fitted(more, page.columns - std::min(page.columns, used))));
}

}  // namespace weft::cli

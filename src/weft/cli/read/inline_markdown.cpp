#include "weft/cli/read/inline_markdown.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace weft::cli {
namespace {

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         static_cast<unsigned char>(c) >= 0x80;
}
bool is_space(char c) { return c == ' ' || c == '\t'; }

struct Mark {
  std::string_view text;
  Colour colour;
};
constexpr std::array<Mark, 5> kEmphasis = {{{"**", Colour::bold},
                                            {"__", Colour::bold},
                                            {"~~", Colour::faint},
                                            {"*", Colour::italic},
                                            {"_", Colour::italic}}};

class Scanner {
 public:
  Scanner(std::string_view line, Colour base) : line_(line), base_(base) {}

  Spans scan() {
    while (at_ < line_.size()) {
      if (!escape() && !code() && !link() && !emphasis()) plain_ += line_[at_++];
    }
    flush();
    return std::move(spans_);
  }

 private:
  void flush() {
    if (!plain_.empty()) spans_.push_back({std::move(plain_), base_});
    plain_.clear();
  }
  void add(std::string_view text, Colour colour) {
    flush();
    spans_.push_back({std::string(text), colour});
  }
  // The next `mark` from `from` on. A mark that is missing once is not searched again: a line of
  // openings without ends takes no longer than any other.
  std::size_t find_end(std::string_view mark, std::size_t from) {
    const auto known = std::ranges::find(missing_, mark);
    if (known != missing_.end()) return std::string_view::npos;
    const std::size_t found = line_.find(mark, from);
    if (found == std::string_view::npos) missing_.push_back(mark);
    return found;
  }

  bool escape() {
    constexpr std::string_view kEscaped = "\\`*_{}[]()#+-.!~>|";
    if (line_[at_] != '\\' || at_ + 1 >= line_.size()) return false;
    if (kEscaped.find(line_[at_ + 1]) == std::string_view::npos) return false;
    plain_ += line_[at_ + 1];
    at_ += 2;
    return true;
  }

  bool code() {
    if (line_[at_] != '`') return false;
    const std::size_t fence = std::min(line_.find_first_not_of('`', at_), line_.size()) - at_;
    const std::string_view mark = line_.substr(at_, fence);
    const std::size_t end = find_end(mark, at_ + fence);
    if (end == std::string_view::npos) {
      plain_ += mark;
      at_ += fence;
      return true;
    }
    add(line_.substr(at_ + fence, end - at_ - fence), Colour::cyan);
    at_ = end + fence;
    return true;
  }

  // [text](address): the text, and the address where it says more.
  bool link() {
    if (line_[at_] != '[') return false;
    const std::size_t middle = find_end("](", at_);
    if (middle == std::string_view::npos) return false;
    const std::size_t end = line_.find(')', middle);
    const std::string_view text = line_.substr(at_ + 1, middle - at_ - 1);
    if (end == std::string_view::npos || text.find('[') != std::string_view::npos) return false;
    const std::string_view address = line_.substr(middle + 2, end - middle - 2);
    add(text, Colour::blue);
    if (text != address) add(" <" + std::string(address) + ">", Colour::faint);
    at_ = end + 1;
    return true;
  }

  bool emphasis() {
    const auto* mark = std::ranges::find_if(
        kEmphasis, [&](const Mark& one) { return line_.substr(at_).starts_with(one.text); });
    if (mark == kEmphasis.end()) return false;
    const std::size_t begin = at_ + mark->text.size();
    const auto end = end_of(*mark, begin);
    if (!end) {
      plain_ += mark->text;
      at_ = begin;
      return true;
    }
    flush();
    // Code and links inside stay what they are.
    for (Span& span : Scanner(line_.substr(begin, *end - begin), mark->colour).scan()) {
      spans_.push_back(std::move(span));
    }
    at_ = *end + mark->text.size();
    return true;
  }

  // Emphasis begins before a word and ends after one; an underscore inside a name is no mark.
  std::optional<std::size_t> end_of(const Mark& mark, std::size_t begin) {
    if (depth_is_used_up() || begin >= line_.size() || is_space(line_[begin])) return std::nullopt;
    const bool is_inside_word = at_ > 0 && is_word(line_[at_ - 1]);
    if (is_inside_word && mark.text.front() != '*') return std::nullopt;
    if (is_inside_word && mark.text == "*") return std::nullopt;
    const std::size_t end = find_end(mark.text, begin);
    if (end == std::string_view::npos || end == begin || is_space(line_[end - 1])) {
      return std::nullopt;
    }
    const std::size_t after = end + mark.text.size();
    const bool ends_inside_word = after < line_.size() && is_word(line_[after]);
    if (ends_inside_word && mark.text != "**") return std::nullopt;
    return end;
  }
  // Inside emphasis, other emphasis is text: one colour at a time.
  bool depth_is_used_up() const { return base_ == Colour::bold || base_ == Colour::italic; }

  std::string_view line_;
  Colour base_;
  std::size_t at_ = 0;
  std::string plain_;
  Spans spans_;
  std::vector<std::string_view> missing_;
};

}  // namespace

Spans parse_inline(std::string_view line, Colour base) { return Scanner(line, base).scan(); }

}  // namespace weft::cli

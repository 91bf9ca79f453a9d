// What stands inside the words of a claude.ai message.
//
// Claude 3 thought aloud in <antThinking>…</antThinking>: that is thinking, and the words
// before and after it are texts of their own. An image written into the words as
// ![name](data:image/png;base64,…) becomes an attachment right behind its text, which keeps
// "![name]()" in its place. Code and <antArtifact>…</antArtifact> are somebody's work and
// stay as they are, whatever stands in them.
#include <algorithm>
#include <utility>

#include "weft/base/utf8.hpp"
#include "weft/formats/adapters/claude_export/claude_export.hpp"
#include "weft/formats/reading/text.hpp"

namespace weft::formats::claude_export {
namespace {

using transcript::Attachment;
using transcript::Author;
using transcript::Citation;
using transcript::Text;
using transcript::Thinking;

// Beyond this limit the rest of a text is emitted as it is.
constexpr std::size_t kMaxParts = 10'000;
constexpr std::size_t kMaxImageName = 1024;

constexpr std::string_view kThinking = "<antThinking>";
constexpr std::string_view kThinkingEnd = "</antThinking>";
constexpr std::string_view kArtifact = "<antArtifact";
constexpr std::string_view kArtifactEnd = "</antArtifact>";
constexpr std::string_view kData = "](data:image/";

bool is_base64(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '+' ||
         c == '/' || c == '=' || c == '-' || c == '_';
}

// A run of the text that was kept: where it was, and where it is now, in code points.
struct Kept {
  std::size_t from = 0, to = 0;  // in the source
  std::size_t part = 0, at = 0;  // in which part, and where in it
};

class Splitter {
 public:
  Splitter(std::string_view source, bool with_thinking)
      : source_(source), may_think_(with_thinking) {}

  struct Part {
    transcript::Body body;
    std::vector<Attachment> images{};  // that stand in it
  };

  std::vector<Part> split() {
    bool at_line_start = true;
    while (at_ < source_.size() && parts_.size() + images_.size() < kMaxParts) {
      if (std::exchange(at_line_start, false) && skip_fenced()) {
        at_line_start = true;
        continue;
      }
      switch (source_[at_]) {
        case '\n':
          at_line_start = true;
          ++at_;
          break;
        case '`': skip_code(); break;
        case '<': take_tag(); break;
        case '!': take_image(); break;
        default: ++at_;
      }
    }
    end_text(source_.size());
    return std::move(parts_);
  }

  // The citation's indices where its words are now, and the part that they are in; empty if
  // there is none.
  std::optional<std::size_t> place(Citation& citation) const {
    if (kept_.empty()) return std::nullopt;
    if (!citation.indices) return kept_.back().part;
    const auto [from, to] = *citation.indices;
    const auto run =
        std::ranges::upper_bound(kept_, from, {}, &Kept::to);  // the first that ends after
    if (run == kept_.end() || run->from >= std::max<std::uint64_t>(to, from + 1)) {
      citation.indices.reset();  // its words were removed
      return run == kept_.end() ? kept_.back().part : run->part;
    }
    const std::size_t begin = std::max<std::size_t>(from, run->from) - run->from + run->at;
    const auto part_end = std::ranges::upper_bound(run, kept_.end(), run->part, {}, &Kept::part);
    const auto last = std::max(
        run,
        std::ranges::lower_bound(run, part_end, static_cast<std::size_t>(to), {}, &Kept::from) - 1);
    const std::size_t end = std::clamp<std::size_t>(to, last->from, last->to);
    citation.indices = {begin, std::max(begin, end - last->from + last->at)};
    return run->part;
  }

 private:
  std::string_view rest() const { return source_.substr(at_); }

  void to_line_end() { at_ = std::min(source_.find('\n', at_), source_.size()); }

  // A fenced block of code: up to the line that closes it.
  bool skip_fenced() {
    const std::size_t indent = std::min(rest().find_first_not_of(' '), rest().size());
    const std::string_view line = rest().substr(indent);
    if (indent > 3 || !(line.starts_with("```") || line.starts_with("~~~"))) return false;
    const char fence = line.front();
    const std::size_t width = std::min(line.find_first_not_of(fence), line.size());
    to_line_end();
    while (at_ < source_.size()) {
      ++at_;
      std::string_view next = source_.substr(at_, source_.find('\n', at_) - at_);
      next = trim(next);
      to_line_end();
      if (next.size() >= width && next.find_first_not_of(fence) == std::string_view::npos) break;
    }
    if (at_ < source_.size()) ++at_;
    return true;
  }

  // `code` within a line.
  void skip_code() {
    const std::size_t width = std::min(rest().find_first_not_of('`'), rest().size());
    const std::string_view fence = rest().substr(0, width);
    if (line_end_ <= at_) line_end_ = std::min(source_.find('\n', at_), source_.size());
    const std::string_view inside = source_.substr(at_ + width, line_end_ - at_ - width);
    const std::size_t end = inside.find(fence);
    at_ += width + (end == std::string_view::npos ? 0 : end + width);
  }

  void take_tag() {
    if (rest().starts_with(kArtifact)) {
      const std::size_t end = source_.find(kArtifactEnd, at_);
      at_ = end == std::string_view::npos ? source_.size() : end + kArtifactEnd.size();
    } else if (may_think_ && rest().starts_with(kThinking)) {
      const std::size_t begin = at_ + kThinking.size();
      const std::size_t end = source_.find(kThinkingEnd, begin);
      may_think_ = end != std::string_view::npos;  // one that never ends is just words
      if (!may_think_) {
        ++at_;
        return;
      }
      end_text(at_);
      parts_.push_back({Thinking{.text = std::string(source_.substr(begin, end - begin))}});
      begin_ = at_ = end + kThinkingEnd.size();
    } else {
      ++at_;
    }
  }

  void take_image() {
    const std::optional<std::size_t> link = find_image();
    if (!link) {
      ++at_;
      return;
    }
    Attachment image{.kind = "image"};
    if (*link > at_ + 2) image.name = std::string(source_.substr(at_ + 2, *link - at_ - 2));
    const std::size_t url = *link + std::string_view("](").size();
    const std::size_t mime = url + std::string_view("data:").size();
    const std::size_t data = source_.find(',', mime) + 1;
    const std::string_view about = source_.substr(mime, data - 1 - mime);  // image/png;base64
    image.mime = std::string(about.substr(0, about.find(';')));
    const bool is_binary = about.ends_with(";base64");
    const std::optional<std::size_t> end = is_binary ? data_end(data) : text_end(data);
    if (!end) {
      ++at_;
      return;
    }
    if (*end == data || !source_.substr(*end).starts_with(')')) {
      at_ = *end;  // all that was looked at is just words
      return;
    }
    (is_binary ? image.data : image.text) = std::string(source_.substr(data, *end - data));
    keep(url);
    images_.push_back(std::move(image));
    begin_ = at_ = *end;
  }

  // Where "](data:image/…," stands behind a "![name" at at_.
  std::optional<std::size_t> find_image() const {
    if (!rest().starts_with("![")) return std::nullopt;
    const std::size_t close = rest().substr(0, kMaxImageName).find(']');
    if (close == std::string_view::npos) return std::nullopt;
    const std::string_view link = rest().substr(close);
    if (!link.starts_with(kData)) return std::nullopt;
    if (link.substr(0, kMaxImageName).find(',') == std::string_view::npos) return std::nullopt;
    return at_ + close;
  }

  std::optional<std::size_t> data_end(std::size_t data) const {
    while (data < source_.size() && is_base64(source_[data])) ++data;
    return data;
  }

  // Of SVG as text, which has brackets of its own unless they are escaped.
  std::optional<std::size_t> text_end(std::size_t data) {
    constexpr std::string_view kSvgEnd = "</svg>";
    const bool is_plain = source_.substr(data).starts_with('<');
    const std::string_view mark = is_plain ? kSvgEnd : ")";
    // What is not ahead of here is not ahead of any later place.
    if (!(is_plain ? may_end_svg_ : may_close_)) return std::nullopt;
    const std::size_t end = source_.find(mark, data);
    if (end == std::string_view::npos) {
      (is_plain ? may_end_svg_ : may_close_) = false;
      return std::nullopt;
    }
    return end + (is_plain ? kSvgEnd.size() : 0);
  }

  // Keeps the source from begin_ to `end` as part of the text at hand.
  void keep(std::size_t end) {
    const std::string_view run = source_.substr(begin_, end - begin_);
    points_ += count_code_points(source_.substr(counted_, begin_ - counted_));
    const std::size_t size = count_code_points(run);
    kept_.push_back({.from = points_, .to = points_ + size, .part = parts_.size(), .at = size_});
    points_ += size;
    counted_ = end;
    size_ += size;
    text_ += run;
  }

  // White space alone is not a text.
  void end_text(std::size_t end) {
    keep(end);
    if (trim(text_).empty() && images_.empty()) {
      while (!kept_.empty() && kept_.back().part == parts_.size()) kept_.pop_back();
    } else {
      parts_.push_back({Text{.text = std::move(text_)}, std::move(images_)});
    }
    text_.clear();
    images_.clear();
    size_ = 0;
  }

  const std::string_view source_;
  bool may_think_, may_end_svg_ = true, may_close_ = true;
  std::size_t at_ = 0;                    // read up to here
  std::size_t begin_ = 0;                 // processed up to here
  std::size_t line_end_ = 0;              // of the line at hand, once it was asked for
  std::size_t counted_ = 0, points_ = 0;  // code points before counted_
  std::string text_;                      // the text at hand, and its code points
  std::size_t size_ = 0;
  std::vector<Attachment> images_;  // in it
  std::vector<Kept> kept_;
  std::vector<Part> parts_;
};

}  // namespace

void add_text(Text text, Author sender, std::optional<Millis> start, std::optional<Millis> stop,
              BlockList& blocks) {
  const bool has_thinking = sender == Author::model && text.text.contains(kThinking);
  if (!has_thinking && !text.text.contains(kData)) {  // nearly always
    blocks.add(sender, std::move(text), start, stop);
    return;
  }
  Splitter splitter(text.text, has_thinking);
  std::vector<Splitter::Part> parts = splitter.split();
  const bool is_whole =
      parts.size() == 1 && parts[0].images.empty() && std::holds_alternative<Text>(parts[0].body);
  if (is_whole || parts.empty()) {
    blocks.add(sender, std::move(text), start, stop);
    return;
  }
  for (Citation& citation : text.citations) {
    const std::optional<std::size_t> part = splitter.place(citation);
    if (part) std::get<Text>(parts[*part].body).citations.push_back(std::move(citation));
  }
  for (Splitter::Part& part : parts) {
    blocks.add(sender, std::move(part.body), start, stop);
    for (Attachment& image : part.images) blocks.add(sender, std::move(image), start, stop);
  }
}

}  // namespace weft::formats::claude_export

#include "weft/git/porcelain.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <utility>

#include "weft/base/try.hpp"
#include "weft/git/parsing.hpp"

namespace weft::git {
namespace {

std::optional<char> escaped(char c) {
  constexpr std::string_view kLetters = "abtnvfr";
  constexpr std::string_view kBytes = "\a\b\t\n\v\f\r";
  if (c == '"' || c == '\\') return c;
  const std::size_t at = kLetters.find(c);
  if (at == std::string_view::npos) return std::nullopt;
  return kBytes[at];
}

class Parser {
 public:
  explicit Parser(std::string_view text) : rest_(text) {}

  Result<Blame> run() && {
    while (!rest_.empty()) WEFT_TRY(read_line());
    std::ranges::sort(blame_.lines, {}, &BlamedLine::number);
    return std::move(blame_);
  }

 private:
  std::unexpected<Error> fault(std::string_view what) const {
    return fail(ErrorCode::invalid_input,
                "line " + std::to_string(at_) + " of git's answer: " + std::string(what));
  }
  std::string_view next() {
    ++at_;
    return cut_off(rest_, '\n');
  }

  // "<commit> <line there> <line here>[ <lines>]", its headers, and the line after a tab.
  Status read_line() {
    std::string_view head = next();
    Origin origin{.commit = std::string(cut_off(head, ' '))};
    const auto there = parse_number<std::size_t>(cut_off(head, ' '));
    const auto here = parse_number<std::size_t>(cut_off(head, ' '));
    if (!is_object_name(origin.commit) || !there || !here || *there == 0 || *here == 0) {
      return fault("not the beginning of a line");
    }
    while (true) {
      if (rest_.empty()) return fault("it ends within a line");
      std::string_view line = next();
      if (line.starts_with('\t')) break;
      WEFT_TRY(read_header(line, origin));
    }
    if (origin.path.empty()) return fault("a line without a file");
    const auto [found, is_new] =
        known_.try_emplace({origin.commit, origin.path}, blame_.origins.size());
    if (is_new) blame_.origins.push_back(std::move(origin));
    blame_.lines.push_back({.origin = found->second, .number = *here, .origin_number = *there});
    return {};
  }

  Status read_header(std::string_view line, Origin& origin) {
    const std::string_view name = cut_off(line, ' ');
    if (name == "author") {
      origin.author = line;
    } else if (name == "author-time" || name == "committer-time") {
      const auto time = parse_seconds(line);
      if (!time) return fault("not a time");
      (name == "author-time" ? origin.author_time : origin.committer_time) = *time;
    } else if (name == "summary") {
      origin.subject = line;
    } else if (name == "filename") {
      WEFT_TRY_VALUE(origin.path, unquoted(line));
    } else if (name == "previous") {
      cut_off(line, ' ');
      WEFT_TRY_VALUE(origin.previous_path, unquoted(line));
    }
    return {};
  }

  std::string_view rest_;
  std::size_t at_ = 0;
  Blame blame_;
  std::map<std::pair<std::string, std::string>, std::size_t> known_;  // commit and path
};

}  // namespace

Result<std::string> unquoted(std::string_view text) {
  if (!text.starts_with('"')) return std::string(text);
  const auto fault = [] {
    return fail(ErrorCode::invalid_input, "a path that is not quoted as git does it");
  };
  std::string path;
  for (std::size_t at = 1; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '"') {
      if (at + 1 != text.size()) return fault();
      return path;
    }
    if (c != '\\') {
      path += c;
      continue;
    }
    if (++at == text.size()) return fault();
    if (const auto byte = escaped(text[at])) {
      path += *byte;
      continue;
    }
    unsigned octal = 0;
    const char* const from = text.data() + at;
    const char* const to = from + std::min<std::size_t>(3, text.size() - at);
    const auto [end, failed] = std::from_chars(from, to, octal, 8);
    if (failed != std::errc() || end != from + 3 || octal > 0xFF) return fault();
    path += static_cast<char>(octal);
    at += 2;
  }
  return fault();
}

Result<Blame> parse_porcelain(std::string_view text) { return Parser(text).run(); }

}  // namespace weft::git

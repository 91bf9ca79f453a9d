#include "weft/formats/adapters/codex/prompt_origin.hpp"

#include "weft/base/utf8.hpp"
#include "weft/formats/reading/text.hpp"

namespace weft::formats::codex {
namespace {

using transcript::Author;
using transcript::Text;

constexpr std::string_view kRequest = "## My request for Codex:";
constexpr std::string_view kShellCommand = "<user_shell_command>";
constexpr std::size_t kTitleLength = 200;  // in code points

// What stands between <tag> and </tag>, without the line ends there.
std::optional<std::string_view> inside(std::string_view text, std::string_view tag) {
  const std::string opening = "<" + std::string(tag) + ">";
  const std::string closing = "</" + std::string(tag) + ">";
  const std::size_t from = text.find(opening);
  if (from == std::string_view::npos) return std::nullopt;
  const std::size_t begin = from + opening.size();
  const std::size_t end = text.rfind(closing);
  if (end == std::string_view::npos || end < begin) return std::nullopt;
  return trim(text.substr(begin, end - begin));
}

std::vector<AuthoredBlock> shell_command(std::string_view text) {
  const std::size_t result = text.find("<result>");
  const auto command = inside(text.substr(0, result), "command");
  const auto printed =
      result == std::string_view::npos ? std::nullopt : inside(text.substr(result), "result");
  if (!command) return {{Author::program, Text{std::string(text)}}};
  std::vector<AuthoredBlock> blocks{{Author::human, Text{"!" + std::string(*command)}}};
  if (printed) blocks.push_back({Author::program, Text{std::string(*printed)}});
  return blocks;
}

}  // namespace

std::string_view request_of(std::string_view text) {
  const std::size_t at = text.find(kRequest);
  const bool is_at_line = at == 0 || (at != std::string_view::npos && text[at - 1] == '\n');
  if (!is_at_line) return text;
  const std::string_view request = trim(text.substr(at + kRequest.size()));
  return request.empty() ? text : request;
}

bool is_shell_command(std::string_view text) { return trim(text).starts_with(kShellCommand); }

std::vector<AuthoredBlock> words_of(std::string_view text) {
  if (is_shell_command(text)) return shell_command(text);
  const std::string_view request = request_of(text);
  const std::string_view before =
      trim(text.substr(0, static_cast<std::size_t>(request.data() - text.data())));
  // The heading alone is no context.
  if (before.empty() || before == kRequest) {
    return {{Author::human, Text{std::string(text)}}};
  }
  return {{Author::program, Text{std::string(before)}},
          {Author::human, Text{std::string(request)}}};
}

std::string title_of(std::string_view words) { return first_line(request_of(words), kTitleLength); }

}  // namespace weft::formats::codex

#include "weft/formats/adapters/cline/prompt_origin.hpp"

#include <algorithm>
#include <array>

#include "weft/formats/reading/text.hpp"

namespace weft::formats::cline {
namespace {

constexpr std::string_view kDetails = "<environment_details>";
constexpr std::string_view kDetailsEnd = "</environment_details>";
struct Envelope {
  std::string_view tag;
  bool is_inline = false;  // has attributes, and its words on the same line
};
constexpr std::array<Envelope, 6> kEnvelopes = {{{"task"},
                                                 {"feedback"},
                                                 {"user_message"},
                                                 {"answer"},
                                                 {"user_input", true},
                                                 {"user_command", true}}};

constexpr std::size_t kMostAttributes = 256;

struct Opening {
  const Envelope* envelope = nullptr;
  std::size_t at = 0, end = 0;    // of the opening tag
  std::string_view attributes{};  // of an inline one
};

// The tag that opens at `at`, which is a '<'.
std::optional<Opening> opening_at(std::string_view text, std::size_t at) {
  for (const Envelope& envelope : kEnvelopes) {
    std::string_view rest = text.substr(at + 1);
    if (!rest.starts_with(envelope.tag)) continue;
    rest.remove_prefix(envelope.tag.size());
    const std::size_t close = envelope.is_inline ? rest.substr(0, kMostAttributes).find('>') : 0;
    if (close == std::string_view::npos || !rest.substr(close).starts_with('>')) continue;
    if (close > 0 && rest.front() != ' ') continue;
    const std::size_t end = at + 1 + envelope.tag.size() + close + 1;
    return Opening{&envelope, at, end, rest.substr(0, close)};
  }
  return std::nullopt;
}

// At the beginning of a line, or right behind another tag.
bool stands_alone(std::string_view text, std::size_t at) {
  const std::size_t before =
      at == 0 ? std::string_view::npos : text.find_last_not_of(" \t", at - 1);
  return before == std::string_view::npos || text[before] == '\n' || text[before] == '>';
}

std::optional<Opening> find_opening(std::string_view text) {
  for (std::size_t at = text.find('<'); at != std::string_view::npos; at = text.find('<', at + 1)) {
    const auto opening = opening_at(text, at);
    if (opening && stands_alone(text, at)) return opening;
  }
  return std::nullopt;
}

// Takes away the line ends that the envelope adds.
std::string unwrap(std::string_view words, const Opening& opening) {
  if (words.starts_with('\n')) words.remove_prefix(1);
  if (words.ends_with('\n')) words.remove_suffix(1);
  if (opening.envelope->tag != "user_command") return std::string(words);
  // <user_command slash="review">: the person typed "/review …".
  const std::size_t open = opening.attributes.find('"');
  const std::size_t close = open == std::string_view::npos ? std::string_view::npos
                                                           : opening.attributes.find('"', open + 1);
  if (close == std::string_view::npos) return std::string(words);
  std::string typed = "/" + std::string(opening.attributes.substr(open + 1, close - open - 1));
  if (!words.empty()) typed.append(" ").append(words);
  return typed;
}

// Cuts <environment_details> off the end of `text`; empty if there are none.
std::string_view cut_details(std::string_view& text) {
  const std::string_view whole = trim(text);
  if (!whole.ends_with(kDetailsEnd)) return {};
  const std::size_t at = whole.rfind(kDetails);
  if (at == std::string_view::npos || !stands_alone(whole, at)) return {};
  text = whole.substr(0, at);
  return whole.substr(at);
}

}  // namespace

PromptOrigin find_words(std::string_view text) {
  const auto opening = find_opening(text);
  if (!opening) return {.before = std::string(text), .words = std::nullopt, .after = {}};
  const std::string close = "</" + std::string(opening->envelope->tag) + ">";
  std::size_t end = text.find("\n" + close, opening->end - 1);
  if (end != std::string_view::npos) ++end;
  if (end == std::string_view::npos || opening->envelope->is_inline) {
    end = opening->envelope->is_inline ? text.rfind(close) : text.find(close, opening->end);
  }
  if (end != std::string_view::npos && end < opening->end) end = std::string_view::npos;
  const std::size_t length =
      end == std::string_view::npos ? std::string_view::npos : end - opening->end;
  PromptOrigin found{.before = std::string(trim(text.substr(0, opening->at))),
                     .words = unwrap(text.substr(opening->end, length), *opening),
                     .after = {}};
  if (end != std::string_view::npos) found.after = trim(text.substr(end + close.size()));
  return found;
}

PromptOrigin find_words_in_result(std::string_view text) {
  const std::string_view details = cut_details(text);
  PromptOrigin found{.before = std::string(details.empty() ? text : trim(text)),
                     .words = std::nullopt,
                     .after = std::string(details)};
  const std::string_view whole = trim(text);
  if (!whole.ends_with('>')) return found;
  for (const Envelope& envelope : kEnvelopes) {
    const std::string tag(envelope.tag);
    const std::string close = "</" + tag + ">";
    if (!whole.ends_with(close)) continue;
    const std::size_t at = whole.find("<" + tag + ">");
    if (at == std::string_view::npos || !stands_alone(whole, at)) continue;
    const std::string_view before = trim(whole.substr(0, at));
    const std::string_view line = before.substr(before.rfind('\n') + 1);
    const bool quotes = line.find("The user") != std::string_view::npos ||
                        line.find("the user") != std::string_view::npos;
    if (!before.empty() && !quotes) continue;
    const std::size_t from = at + tag.size() + 2;
    const Opening opening{&envelope, at, from};
    found.before = before;
    found.words = unwrap(whole.substr(from, whole.size() - close.size() - from), opening);
    return found;
  }
  return found;
}

bool is_of_program(std::string_view text) {
  text = trim(text);
  constexpr std::array<std::string_view, 12> kOpenings = {
      "<environment_details", "<explicit_instructions",
      "<file_content",        "<folder_content",
      "<url_content",         "<hook_context",
      "<mode_notice",         "<SYSTEM_NOTICE",
      "<system-reminder",     "[ERROR]",
      "[TASK RESUMPTION]",    "# task_progress"};
  return std::ranges::any_of(kOpenings,
                             [&](std::string_view opening) { return text.starts_with(opening); });
}

std::optional<ResultText> parse_result_text(std::string_view text) {
  constexpr std::string_view kResult = "] Result:";
  if (!text.starts_with('[')) return std::nullopt;
  const std::size_t end =
      text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-", 1);
  if (end == std::string_view::npos || end == 1 || (text[end] != ' ' && text[end] != ']'))
    return std::nullopt;
  const std::size_t at = text.find(kResult, end);
  if (at == std::string_view::npos) return std::nullopt;
  std::string_view rest = text.substr(at + kResult.size());
  if (rest.starts_with(' ')) rest.remove_prefix(1);
  if (rest.starts_with('\n')) rest.remove_prefix(1);
  return ResultText{std::string(text.substr(1, end - 1)), rest};
}

std::optional<std::string> find_directory(std::string_view text) {
  constexpr std::size_t kMostPath = 4096;
  for (const std::string_view name :
       {"# Current Working Directory (", "# Current Workspace Directory ("}) {
    const std::size_t at = text.find(name);
    if (at == std::string_view::npos) continue;
    const std::string_view path = text.substr(at + name.size(), kMostPath);
    const std::size_t end = path.find(") Files");
    if (end != std::string_view::npos && end > 0) return std::string(path.substr(0, end));
  }
  return std::nullopt;
}

std::string title_of(std::string_view words) {
  constexpr std::size_t kMost = 200;
  return first_line(words, kMost);
}

}  // namespace weft::formats::cline

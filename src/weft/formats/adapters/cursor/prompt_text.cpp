#include "weft/formats/adapters/cursor/prompt_text.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "weft/formats/reading/text.hpp"

namespace weft::formats::cursor {
namespace {

using transcript::Author;

constexpr std::string_view kOpen = "<user_query>";
constexpr std::string_view kClose = "</user_query>";
void append_text(Author author, std::string_view text, std::vector<AuthoredBlock>& blocks) {
  if (trim(text).empty()) return;
  blocks.push_back({author, transcript::Text{.text = std::string(text), .citations = {}}});
}

// "<open_files>…": a tag of several words, as no person begins a sentence.
bool is_of_program(std::string_view text) {
  constexpr std::array<std::string_view, 8> kTags = {
      "<system_reminder", "<system-reminder", "<timestamp",   "<rules",
      "<user_info",       "<attached",        "<open_and_re", "<additional_data"};
  return std::ranges::any_of(kTags, [&](std::string_view tag) { return text.starts_with(tag); });
}

}  // namespace

std::vector<AuthoredBlock> parse_prompt(std::string_view text) {
  std::vector<AuthoredBlock> blocks;
  if (text.find(kOpen) == std::string_view::npos) {
    append_text(is_of_program(trim(text)) ? Author::program : Author::human, text, blocks);
    return blocks;
  }
  while (!text.empty()) {
    const std::size_t open = text.find(kOpen);
    append_text(Author::program, trim(text.substr(0, open)), blocks);
    if (open == std::string_view::npos) break;
    text.remove_prefix(open + kOpen.size());
    const std::size_t close = text.find(kClose);
    std::string_view words = text.substr(0, close);
    if (words.starts_with('\n')) words.remove_prefix(1);
    if (words.ends_with('\n')) words.remove_suffix(1);
    append_text(Author::human, words, blocks);
    text.remove_prefix(close == std::string_view::npos ? text.size() : close + kClose.size());
  }
  return blocks;
}

}  // namespace weft::formats::cursor

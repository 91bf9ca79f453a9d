// Formats a thought on one line for people: its content, its creator, its time.
#pragma once

#include <string>
#include <string_view>

#include "weft/base/json.hpp"
#include "weft/cli/render/terminal.hpp"
#include "weft/query/ask/summary_line.hpp"

namespace weft::cli {

using query::kind_of;
Colour colour_of(std::string_view kind);

// Like those of query/ask/summary_line.hpp, made safe for terminals.
std::string summary_line(const json::object& thought);
std::string brief(std::string_view cid);
class Names {
 public:
  // What the library points to outlives it.
  explicit Names(const query::Library& library) : names_(library) {}
  std::string of(std::string_view cid);

 private:
  query::Names names_;
};

// "‡ " before what is marked `foreign` in an answer: somebody else than the owner of the keyring,
// or of the conversation, made it. Empty for everything else.
std::string_view foreign_sign(const json::object& shown);
// "(witnessed) " before words that weft record heard.
std::string_view witnessed_sign(const json::object& shown);

// The parts of a thought's line.
struct ThoughtLine {
  std::string kind, cid, when, who, words;

  // With the text cut so that the line has at most `columns`.
  std::string str(const Style& style, std::size_t columns) const;
};

enum class When { time, date_and_time };
ThoughtLine line_of(const json::object& thought, Names& names, When when);

}  // namespace weft::cli

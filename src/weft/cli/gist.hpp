// A thought on one line, for people: what it says, who said it, when.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "weft/base/json.hpp"
#include "weft/cli/terminal.hpp"
#include "weft/query/library.hpp"

namespace weft::cli {

// "response" for "anthropic/response".
std::string_view kind_of(const json::object& thought);
Colour colour_of(std::string_view kind);

// The first words of what a thought says, on one line. Of sealed reasoning: that it is
// sealed, and how much of it there is, as far as the keys tell. Safe for terminals.
std::string gist(const json::object& thought);

// The names of identities, each looked up once.
class Names {
 public:
  // The library outlives it.
  explicit Names(const query::Library& library) : library_(library) {}
  // The identity's name; the beginning of its CID where there is none to be had.
  const std::string& of(std::string_view cid);

 private:
  const query::Library& library_;
  std::unordered_map<std::string, std::string> names_;
};

// "3f2a91c0b1d2", the beginning of a CID in text.
std::string brief(std::string_view cid);

// The parts of a thought's line.
struct ThoughtLine {
  std::string kind, cid, when, who, words;

  // With the words cut so that the whole has at most `columns`.
  std::string str(const Style& style, std::size_t columns) const;
};

enum class When { time, date_and_time };
ThoughtLine line_of(const json::object& thought, Names& names, When when);

}  // namespace weft::cli

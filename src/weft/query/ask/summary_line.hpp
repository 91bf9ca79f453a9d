// What a thought is and says, in a line.
//
// Words come as they were said, on one line, and may hold any character: whoever shows them makes
// them safe for where they are shown.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "weft/base/json.hpp"
#include "weft/query/library.hpp"

namespace weft::query {

// "response" for the thought of type "anthropic/response".
std::string_view kind_of(const json::object& thought);

// A thought's content; an empty one where it has none.
const json::object& content_of(const json::object& thought);

// The first words of what a thought says. Of sealed reasoning: that it is sealed, and how much of
// it there is, as far as the keys tell.
std::string gist(const json::object& thought);

// The beginning of a text on one line: each run of white space is one blank, none at either end,
// and an … where there is more than a line could ever show.
std::string first_words(std::string_view text);

// "3f2a91c0b1d2", the beginning of a CID in text, enough to name the thought.
std::string brief(std::string_view cid);

// The names of identities, each looked up once.
class Names {
 public:
  // What the library points to outlives it.
  explicit Names(const Library& library) : library_(library) {}
  // The identity's name; the beginning of its CID where there is none to be had.
  const std::string& of(std::string_view cid);

 private:
  Library library_;
  std::unordered_map<std::string, std::string> names_;
};

}  // namespace weft::query

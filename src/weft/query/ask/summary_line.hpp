// Summarizes a thought in one line.
//
// The text is that of the content, on one line, and may contain any character: the
// caller makes it safe for where it is shown.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "weft/base/json.hpp"
#include "weft/query/library.hpp"

namespace weft::query {

// "response" for the thought of type "anthropic/response".
std::string_view kind_of(const json::object& thought);

// A thought's content; an empty object if it has none.
const json::object& content_of(const json::object& thought);

// The first words of a thought's content. For reasoning that cannot be read: its summary, if the
// thought has `summary`, as `why` adds it; else that it is sealed, and its length if the keyring
// opens that.
std::string summary_line(const json::object& thought);

// The beginning of a text on one line: each run of white space becomes one blank, with none at
// either end, and an … if there is more than a line could ever show.
std::string first_words(std::string_view text);

// "3f2a91c0b1d2", the beginning of a CID, enough to name the thought.
std::string brief(std::string_view cid);

// The names of identities, each looked up once.
class Names {
 public:
  // What the library points to outlives it.
  explicit Names(const Library& library) : library_(library) {}
  // The identity's name; the beginning of its CID if it has none or is not found.
  const std::string& of(std::string_view cid);

 private:
  Library library_;
  std::unordered_map<std::string, std::string> names_;
};

}  // namespace weft::query

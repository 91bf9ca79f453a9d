// Parses a search query. No query is a syntax error: what is not one of these is words.
//
//   words          any may match; more and rarer words rank higher
//   "a phrase"     its words next to each other, stop words too; an open quote ends with the query
//   +must  -not    also for phrases and prefixes. --flag is a word, and so is a sign by itself
//   prefix*        words that begin so; two characters or more (otherwise it is a word)
//   type: tool: project: role: session: since: until:
//                  filters. Several of one kind: any of them; of several kinds: each. Names in any
//                  case. A value in quotes may have spaces. Times are those of
//                  base/typed/moment.hpp. A filter without a value is words.
//
// Words that consist only of stop words are left out, except in phrases. A word given twice counts
// once, as +must if either is.
//
// What was probably meant otherwise is left out and named in `notes`: a filter whose value is not a
// time or a role, and a filter with a mistyped name (typ:thinking). foo:bar and http://x are words.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/base/typed/moment.hpp"

namespace weft::search {

struct Word {
  enum class Kind { word, phrase, prefix };
  enum class Need { any, must, not_ };
  Kind kind = Kind::word;
  Need need = Need::any;
  // For a word: its terms (terms.hpp), each once, the whole first; a text has the word if it has
  // them all. For characters of scripts without spaces: their pairs. For a hash that is cut to a
  // length that is not indexed: its first 8 and 7 digits, which are indexed for every hash.
  // For a phrase: its leaves in order. For a prefix: the one beginning of terms.
  std::vector<std::string> terms{};

  friend bool operator==(const Word&, const Word&) = default;
};

struct Filters {
  std::vector<std::string> types{};     // full types or bare kinds
  std::vector<std::string> tools{};     // names, in any case
  std::vector<std::string> projects{};  // as they were typed
  std::vector<std::string> sessions{};
  std::vector<std::string> roles{};        // human, assistant, system
  std::optional<Millis> since{}, until{};  // both included

  bool empty() const { return *this == Filters{}; }
  friend bool operator==(const Filters&, const Filters&) = default;
};

struct Query {
  std::vector<Word> words{};
  Filters filters{};
  // Sentences for people: what was left out or is in doubt, why, and what was probably meant.
  std::vector<std::string> notes{};

  friend bool operator==(const Query&, const Query&) = default;
};

// `clock` is that of the person who asks: times without a zone are in theirs. UTC by default.
Query parse_query(std::string_view text, const LocalClock& clock = {});

}  // namespace weft::search

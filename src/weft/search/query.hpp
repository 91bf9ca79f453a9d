// What a person types, and what it asks for. No query is a syntax error: what is not one of these
// is words.
//
//   words         any may match; more and rarer is better
//   "a phrase"    its words next to each other, stop words too; an open quote ends with the query
//   +must  -not   also of phrases and prefixes; --flag is a word, and so is a sign that stands
//   alone prefix*       words that begin so; two characters or more (else a word) type: tool:
//   project: role: session: since: until:
//                 several of one kind: any of them; of several kinds: each. Names in any case. A
//                 value in quotes may have spaces. until: a day includes that day. What has no
//                 value, or is no time after since: or until:, is words.
//
// Words that are nothing but stop words are left out, but for those in phrases. A word given twice
// counts once, as +must if it was that once.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/base/time.hpp"

namespace weft::search {

struct Word {
  enum class Kind { word, phrase, prefix };
  enum class Need { any, must, not_ };
  Kind kind = Kind::word;
  Need need = Need::any;
  // Of a word: its terms (terms.hpp), each once, the whole first; a text has the word if it has
  // them all. Of characters of scripts without spaces: their pairs. Of a hash that was cut to a
  // length at which no longer one is indexed: its first 8 and 7 digits, by which all are.
  // Of a phrase: its leaves in order. Of a prefix: one, that which terms begin with.
  std::vector<std::string> terms{};

  friend bool operator==(const Word&, const Word&) = default;
};

struct Filters {
  std::vector<std::string> types{};     // full types or bare kinds
  std::vector<std::string> tools{};     // names, in any case
  std::vector<std::string> projects{};  // and these as they were typed
  std::vector<std::string> sessions{};
  std::vector<std::string> roles{};        // human, assistant, system
  std::optional<Millis> since{}, until{};  // both included

  bool empty() const { return *this == Filters{}; }
  friend bool operator==(const Filters&, const Filters&) = default;
};

struct Query {
  std::vector<Word> words{};
  Filters filters{};

  friend bool operator==(const Query&, const Query&) = default;
};

Query parse_query(std::string_view text);

// The time that a filter means: as parse_iso8601, but a day alone is its first moment, or its last.
enum class DayEdge { first, last };
std::optional<Millis> parse_moment(std::string_view text, DayEdge edge);

}  // namespace weft::search

// Parses a query item by item: an optional sign, then a phrase, a filter, a prefix or words,
// whichever fits first; anything can be words.
#include "weft/search/query.hpp"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "weft/base/ascii.hpp"
#include "weft/base/typed/suggest.hpp"
#include "weft/base/utf8.hpp"
#include "weft/search/letters.hpp"
#include "weft/search/terms.hpp"

namespace weft::search {
namespace {

// The number of bytes of white space or controls at `at`; 0 for anything else.
std::size_t blank_size(std::string_view text, std::size_t at) {
  const auto c = static_cast<std::uint8_t>(text[at]);
  if (c <= ' ' || c == 0x7F) return 1;
  const std::string_view rest = text.substr(at);
  for (const std::string_view blank : {"\u00A0", "\u3000"}) {
    if (rest.starts_with(blank)) return blank.size();
  }
  return 0;
}

// --- words ---------------------------------------------------------------------------------

// A word as typed: a whole with its parts, or a run of characters that are words by themselves.
struct Typed {
  std::size_t begin = 0, end = 0;
  std::vector<std::string> terms{};  // the whole first; stop words, too
  std::vector<bool> is_leaf{}, is_stop{};
};

std::vector<Typed> read_typed(std::string_view text) {
  std::vector<Typed> all;
  auto visit = [&](const Term& term) {
    // A whole comes before its parts, a pair before the next one that it overlaps.
    if (all.empty() || term.begin >= all.back().end) all.push_back({.begin = term.begin});
    Typed& typed = all.back();
    typed.end = std::max(typed.end, term.end);
    typed.terms.emplace_back(term.text);
    typed.is_leaf.push_back(term.is_leaf);
    typed.is_stop.push_back(term.is_stop);
  };
  each_term(text, visit);
  return all;
}

bool is_unspaced(std::string_view text, const Typed& typed) {
  return letter_at(text, typed.begin) == Letter::unspaced;
}

// A hash shortened by hand to a length that is not indexed is searched by the shorter prefixes that
// are. A text with the short form itself has these prefixes, too.
bool is_odd_short_hash(const Typed& typed) {
  if (typed.terms.size() != 3 || !typed.is_leaf[0] || typed.is_leaf[1]) return false;
  const std::string& whole = typed.terms[0];
  return typed.terms[1].size() == 7 && whole.starts_with(typed.terms[1]) && whole.size() != 12;
}

// The terms to look for, each once. None if there is nothing but stop words.
std::vector<std::string> terms_of(std::string_view text, const Typed& typed) {
  if (is_odd_short_hash(typed)) return {typed.terms[2], typed.terms[1]};
  const bool pairs = is_unspaced(text, typed) && typed.terms.size() > 1;
  std::vector<std::string> terms;
  std::unordered_set<std::string_view> seen;
  for (std::size_t i = 0; i < typed.terms.size(); ++i) {
    if (typed.is_stop[i] || (pairs && typed.is_leaf[i])) continue;
    if (seen.insert(typed.terms[i]).second) terms.push_back(typed.terms[i]);
  }
  return terms;
}

// --- filters -------------------------------------------------------------------------------

enum class Filter { type, tool, project, role, session, since, until };
constexpr auto kFilters = std::to_array<std::pair<std::string_view, Filter>>({
    {"type", Filter::type},
    {"tool", Filter::tool},
    {"project", Filter::project},
    {"role", Filter::role},
    {"session", Filter::session},
    {"since", Filter::since},
    {"until", Filter::until},
});

// The filter whose name and colon `text` begins with.
const std::pair<std::string_view, Filter>* find_filter(std::string_view text) {
  for (const auto& entry : kFilters) {
    const std::size_t size = entry.first.size();
    if (text.size() > size && text[size] == ':' && to_lower(text.substr(0, size)) == entry.first) {
      return &entry;
    }
  }
  return nullptr;
}

// Empty for what is not a role.
std::string role_of(std::string_view typed) {
  const std::string role = to_lower(typed);
  if (role == "user") return "human";
  const bool known = role == "human" || role == "assistant" || role == "system";
  return known ? role : std::string();
}

// The filter that a name was probably meant to be: one letter more or less, or two swapped; in the
// longer names also another letter, where the short ones would be words of their own (rule, pool).
std::optional<std::string_view> meant_by(std::string_view name) {
  constexpr std::size_t kShort = 4;
  for (const std::string_view word : {"util", "sine", "protect"}) {
    if (name == word) return std::nullopt;
  }
  for (const auto& [filter, value] : kFilters) {
    if (edit_distance(name, filter) != 1) continue;
    const bool is_other_letter =
        name.size() == filter.size() && !std::ranges::is_permutation(name, filter);
    if (filter.size() > kShort || !is_other_letter) return filter;
  }
  return std::nullopt;
}

// The lower-case name in `text` before a colon and a value: empty for `std::sort` and `http://x`.
std::string name_before_colon(std::string_view text) {
  constexpr std::size_t kLongest = 12;  // no name of a filter is as long
  text = text.substr(0, kLongest);
  const std::string name = to_lower(text.substr(0, text.find(':')));
  const auto is_letter = [](char c) { return c >= 'a' && c <= 'z'; };
  if (name.size() + 1 >= text.size() || !std::ranges::all_of(name, is_letter)) return {};
  return std::string_view(":/\\=").contains(text[name.size() + 1]) ? std::string() : name;
}

class Parser {
 public:
  Parser(std::string_view text, const LocalClock& clock) : text_(text), clock_(clock) {}

  Query run() {
    while (skip_blanks()) item();
    if (query_.words.empty() && !stop_words_.empty()) note_stop_words();
    return std::move(query_);
  }

 private:
  bool skip_blanks() {
    while (at_ < text_.size()) {
      const std::size_t size = blank_size(text_, at_);
      if (size == 0) return true;
      at_ += size;
    }
    return false;
  }

  void item() {
    if (filter() || mistyped_filter()) return;
    const Word::Need need = read_sign();
    if (text_[at_] == '"') {
      phrase(read_quoted(), need);
    } else {
      words(read_bare(), need);
    }
  }

  // A sign counts only before something other than itself: --flag is a word.
  Word::Need read_sign() {
    const char sign = text_[at_];
    if (sign != '+' && sign != '-') return Word::Need::any;
    const std::size_t next = at_ + 1;
    if (next == text_.size() || text_[next] == sign || blank_size(text_, next) != 0) {
      return Word::Need::any;
    }
    at_ = next;
    return sign == '+' ? Word::Need::must : Word::Need::not_;
  }

  // The text between the quote at at_ and the next one, or the end of the query.
  std::string_view read_quoted() {
    const std::size_t begin = at_ + 1;
    const std::size_t end = std::min(text_.find('"', begin), text_.size());
    if (end == text_.size() && end > begin) {
      note(text_.substr(at_), "the quote is not closed, so all that follows it is one phrase");
    }
    at_ = std::min(end + 1, text_.size());
    return text_.substr(begin, end - begin);
  }

  // Up to a blank or a quote.
  std::string_view read_bare() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && text_[at_] != '"' && blank_size(text_, at_) == 0) ++at_;
    return text_.substr(begin, at_ - begin);
  }

  // Reads a filter if there is one at at_ with a value; otherwise reads nothing.
  bool filter() {
    const auto* found = find_filter(text_.substr(at_));
    if (found == nullptr) return false;
    const std::size_t before = at_;
    at_ += found->first.size() + 1;
    const std::string_view value = read_value();
    if (value.empty()) {
      at_ = before;
      return false;
    }
    if (const std::string fault = apply(found->second, value); !fault.empty()) {
      note(text_.substr(before, at_ - before), fault + ". The filter was left out");
    }
    return true;
  }

  // Reads what was probably meant to be a filter; otherwise reads nothing.
  bool mistyped_filter() {
    const std::string name = name_before_colon(text_.substr(at_));
    const std::optional<std::string_view> meant = meant_by(name);
    if (!meant) return false;
    const std::size_t before = at_;
    at_ += name.size() + 1;
    const std::string_view value = read_value();
    if (value.empty()) {
      at_ = before;
      return false;
    }
    note(text_.substr(before, at_ - before), "no such filter; did you mean " + std::string(*meant) +
                                                 ":" + std::string(value) + "? It was left out");
    return true;
  }

  std::string_view read_value() {
    return at_ < text_.size() && text_[at_] == '"' ? read_quoted() : read_bare();
  }

  // Returns what is wrong with the value; empty if nothing is.
  std::string apply(Filter filter, std::string_view value) {
    Filters& filters = query_.filters;
    switch (filter) {
      case Filter::type: add_value(filter, filters.types, std::string(value)); break;
      case Filter::tool: add_value(filter, filters.tools, std::string(value)); break;
      case Filter::project: add_value(filter, filters.projects, std::string(value)); break;
      case Filter::session: add_value(filter, filters.sessions, std::string(value)); break;
      case Filter::role: {
        std::string role = role_of(value);
        if (role.empty()) return "no such role; the roles are human, assistant and system";
        add_value(filter, filters.roles, std::move(role));
        break;
      }
      case Filter::since:
      case Filter::until: {
        const bool is_since = filter == Filter::since;
        const auto moment = parse_moment(value, is_since ? Bound::since : Bound::until, clock_);
        if (!moment) return not_a_moment(value);
        if (is_since) widen(filters.since, *moment, less);
        else widen(filters.until, *moment, more);
        break;
      }
    }
    return {};
  }

  // "type:respons: no such type…". A long text is cut.
  void note(std::string_view typed, std::string_view fault) {
    constexpr std::size_t kShown = 60;
    const std::string_view kept = slice_code_points(typed, 0, kShown);
    std::string text(kept);
    if (kept.size() < typed.size()) text += "…";
    text.append(": ").append(fault).append(".");
    if (seen_notes_.insert(text).second) query_.notes.push_back(std::move(text));
  }

  void note_stop_words() {
    constexpr std::size_t kNamed = 5;
    std::string named;
    for (std::size_t i = 0; i < std::min(stop_words_.size(), kNamed); ++i) {
      named += (named.empty() ? "" : ", ") + stop_words_[i];
    }
    if (stop_words_.size() > kNamed) named += ", …";
    note(named, "words as common as this are searched only inside a \"phrase\" of several words");
  }

  void add_value(Filter filter, std::vector<std::string>& values, std::string value) {
    if (seen_values_.insert(std::to_string(static_cast<int>(filter)) + value).second) {
      values.push_back(std::move(value));
    }
  }

  // Any of several: the earliest since, the latest until.
  static bool less(Millis a, Millis b) { return a < b; }
  static bool more(Millis a, Millis b) { return a > b; }
  static void widen(std::optional<Millis>& limit, Millis moment, bool (*is_wider)(Millis, Millis)) {
    if (!limit || is_wider(moment, *limit)) limit = moment;
  }

  void words(std::string_view text, Word::Need need) {
    const std::size_t end = text.find_last_not_of('*') + 1;  // none: npos + 1 is 0
    const bool starred = end < text.size();
    const std::vector<Typed> all = read_typed(text.substr(0, end));
    for (const Typed& typed : all) {
      const bool is_prefix = starred && &typed == &all.back() && !is_unspaced(text, typed) &&
                             count_code_points(typed.terms.front()) >= 2;
      if (is_prefix) {
        add({.kind = Word::Kind::prefix, .need = need, .terms = {typed.terms.front()}});
      } else {
        add_word(text, typed, need);
      }
    }
  }

  void add_word(std::string_view text, const Typed& typed, Word::Need need) {
    std::vector<std::string> terms = terms_of(text, typed);
    if (terms.empty() && need != Word::Need::not_) stop_words_.push_back(typed.terms.front());
    add({.kind = Word::Kind::word, .need = need, .terms = std::move(terms)});
  }

  void phrase(std::string_view text, Word::Need need) {
    std::vector<std::string> leaves;
    auto visit = [&](const Term& term) {
      if (term.is_leaf) leaves.emplace_back(term.text);
    };
    each_term(text, visit);
    if (leaves.size() > 1) {
      add({.kind = Word::Kind::phrase, .need = need, .terms = std::move(leaves)});
    } else {
      for (const Typed& typed : read_typed(text)) {
        add_word(text, typed, need);
      }
    }
  }

  // A word given twice counts once, and is required if either has a +.
  void add(Word word) {
    if (word.terms.empty()) return;
    std::string key = {static_cast<char>('0' + static_cast<int>(word.kind)),
                       word.need == Word::Need::not_ ? '-' : '+'};
    for (const std::string& term : word.terms) {
      key += '\0';  // no term holds one
      key += term;
    }
    const auto [place, is_new] = seen_.try_emplace(std::move(key), query_.words.size());
    if (is_new) {
      query_.words.push_back(std::move(word));
    } else if (word.need == Word::Need::must) {
      query_.words[place->second].need = Word::Need::must;
    }
  }

  std::string_view text_;
  const LocalClock& clock_;
  std::size_t at_ = 0;
  Query query_;
  std::unordered_map<std::string, std::size_t> seen_;  // to its place among the words
  std::unordered_set<std::string> seen_values_, seen_notes_;
  std::vector<std::string> stop_words_;  // that were left out
};

}  // namespace

Query parse_query(std::string_view text, const LocalClock& clock) {
  return Parser(text, clock).run();
}

}  // namespace weft::search

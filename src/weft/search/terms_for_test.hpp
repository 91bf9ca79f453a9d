// Formats the terms of a text for tests.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "weft/search/terms.hpp"

namespace weft::search::test {

struct EmittedTerm {
  std::string text;
  std::size_t begin, end;
  std::uint32_t position;
  bool is_leaf, is_stop;

  // Compares terms without their positions.
  friend bool operator==(const EmittedTerm& a, const EmittedTerm& b) {
    return a.text == b.text && a.is_leaf == b.is_leaf && a.is_stop == b.is_stop;
  }
};

inline std::vector<EmittedTerm> emitted_terms(std::string_view text) {
  std::vector<EmittedTerm> terms;
  auto visit = [&](const Term& term) {
    terms.push_back(
        {std::string(term.text), term.begin, term.end, term.position, term.is_leaf, term.is_stop});
  };
  each_term(text, visit);
  return terms;
}

// "0:whole 0:part* 1:other*": each term with its position; * marks a leaf, ~ a stop word.
inline std::string terms(std::string_view text) {
  std::string all;
  for (const EmittedTerm& term : emitted_terms(text)) {
    if (!all.empty()) all += ' ';
    all += std::to_string(term.position) + ":" + term.text;
    if (term.is_leaf) all += '*';
    if (term.is_stop) all += '~';
  }
  return all;
}

// The part of the text that the term `wanted` covers; "(none)" if there is no such term.
inline std::string source_of(std::string_view text, std::string_view wanted) {
  for (const EmittedTerm& term : emitted_terms(text)) {
    if (term.text == wanted) return std::string(text.substr(term.begin, term.end - term.begin));
  }
  return "(none)";
}

}  // namespace weft::search::test

// BestWindow finds the part of a text with the best matches of a query.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string_view>
#include <vector>

#include "weft/search/matches.hpp"

namespace weft::search {

// Reads the matches of a text in the order found, and keeps those of the best window so far: the
// one whose different words have the greatest total weight, then the one with the most matches,
// then the first. Needs memory for two windows.
class BestWindow {
 public:
  // A window is at most `code_points` long, or one match that is longer.
  // `weights`: one for each word that matches.
  BestWindow(std::string_view text, std::vector<std::int64_t> weights, std::size_t code_points);

  void add(const Match& match);

  // The matches of the best window by position; empty if there was no match.
  std::vector<Match> take();

 private:
  struct Entry {
    Match match;
    std::size_t begin_points;  // where it begins, in code points
    std::uint64_t number;      // in the order in which they were added
  };
  struct Worth {
    std::int64_t weight = 0;
    std::size_t matches = 0;
    friend auto operator<=>(const Worth&, const Worth&) = default;
  };

  std::size_t points_before(std::size_t at);
  void insert(Entry entry);
  void drop_first();

  std::string_view text_;
  std::vector<std::int64_t> weights_;
  std::size_t limit_;
  std::size_t at_ = 0, at_points_ = 0;  // a place in the text, in bytes and in code points
  std::deque<Entry> window_;            // by where they begin
  std::size_t end_points_ = 0;          // where the last of all ends
  std::vector<std::size_t> counts_;     // of each word, in the window
  std::int64_t weight_ = 0;             // of the words in the window, each once
  std::uint64_t number_ = 0;
  Worth best_;
  std::uint64_t best_number_ = 0;   // the best window is all that was kept when this came
  std::vector<Match> best_gone_{};  // matches of it that are no longer kept
};

}  // namespace weft::search

#include "weft/search/window.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "weft/base/utf8.hpp"

namespace weft::search {

BestWindow::BestWindow(std::string_view text, std::vector<std::int64_t> weights,
                       std::size_t code_points)
    : text_(text), weights_(std::move(weights)), limit_(code_points), counts_(weights_.size(), 0) {}

// Matches come nearly in order, so most of the way was counted before.
std::size_t BestWindow::points_before(std::size_t at) {
  if (at < at_) return at_points_ - count_code_points(text_.substr(at, at_ - at));
  at_points_ += count_code_points(text_.substr(at_, at - at_));
  at_ = at;
  return at_points_;
}

void BestWindow::add(const Match& match) {
  const std::size_t begin = points_before(match.begin);
  const std::size_t size = count_code_points(text_.substr(match.begin, match.end - match.begin));
  end_points_ = std::max(end_points_, begin + size);
  insert({.match = match, .begin_points = begin, .number = ++number_});
  while (window_.size() > 1 && end_points_ - window_.front().begin_points > limit_) drop_first();

  const Worth worth{.weight = weight_, .matches = window_.size()};
  if (worth > best_) {
    best_ = worth;
    best_number_ = number_;
    best_gone_.clear();
  }
}

void BestWindow::insert(Entry entry) {
  // A phrase is known when it ends, after words that stand in it.
  auto place = window_.end();
  while (place != window_.begin() && std::prev(place)->match.begin > entry.match.begin) --place;
  if (counts_[entry.match.word]++ == 0) weight_ += weights_[entry.match.word];
  window_.insert(place, entry);
}

void BestWindow::drop_first() {
  const Entry& entry = window_.front();
  if (--counts_[entry.match.word] == 0) weight_ -= weights_[entry.match.word];
  if (entry.number <= best_number_) best_gone_.push_back(entry.match);
  window_.pop_front();
}

std::vector<Match> BestWindow::take() {
  std::vector<Match> matches = std::move(best_gone_);
  for (const Entry& entry : window_) {
    if (entry.number <= best_number_) matches.push_back(entry.match);
  }
  std::ranges::sort(matches, {}, &Match::begin);
  return matches;
}

}  // namespace weft::search

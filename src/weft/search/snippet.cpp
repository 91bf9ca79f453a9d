// A snippet is made in three steps: find the query's words (matches.cpp), select the window with
// the best of them (window.cpp), and, here, format that window with its context as one line.
#include "weft/search/snippet.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "weft/base/utf8.hpp"
#include "weft/search/letters.hpp"
#include "weft/search/matches.hpp"
#include "weft/search/phrase.hpp"
#include "weft/search/terms.hpp"
#include "weft/search/visible.hpp"
#include "weft/search/window.hpp"

namespace weft::search {
namespace {

constexpr std::string_view kEllipsis = "\u2026";
constexpr std::size_t kEllipses = 2;   // one at either end, at most
constexpr std::size_t kLongWord = 32;  // code points: a longer one may be cut
constexpr std::string_view kBlanks = " \t\r\n";

// One weight for each word, none below zero; equal weights if all are zero.
std::vector<double> sound_weights(const Query& query, const std::vector<double>& given) {
  std::vector<double> weights(query.words.size(), 1.0);
  if (given.size() != weights.size()) return weights;
  const auto is_sound = [](double weight) { return std::isfinite(weight) && weight > 0; };
  if (std::ranges::none_of(given, is_sound)) return weights;
  std::ranges::transform(given, weights.begin(),
                         [&](double weight) { return is_sound(weight) ? weight : 0.0; });
  return weights;
}

// As integers, whose sums do not depend on the order of additions and subtractions.
std::vector<std::int64_t> whole_numbers(const std::vector<double>& weights) {
  constexpr double kLargest = 1 << 30;
  const double largest = weights.empty() ? 1.0 : std::ranges::max(weights);
  std::vector<std::int64_t> whole;
  for (const double weight : weights) whole.push_back(std::llround(weight / largest * kLargest));
  return whole;
}

std::vector<Match> best_matches(std::string_view text, const Query& query,
                                const std::vector<double>& given, std::size_t code_points) {
  const std::vector<double> weights = sound_weights(query, given);
  BestWindow window(text, whole_numbers(weights), code_points);
  find_matches(text, query, weights, [&](const Match& match) { window.add(match); });
  return window.take();
}

// A range of visible code points, [begin, end), and whether there is more before and after it.
struct Span {
  std::size_t begin = 0, end = 0;
  bool cut_before = false, cut_after = false;

  std::size_t ellipses() const { return (cut_before ? 1 : 0) + (cut_after ? 1 : 0); }
};

// The visible part of a text around its matches, and what of it to show.
class Frame {
 public:
  // `first` and `last` are the bytes that the matches span.
  Frame(std::string_view text, std::size_t first, std::size_t last, std::size_t limit)
      : limit_(limit) {
    // Twice what the longest code points take: some are not shown.
    constexpr std::size_t kMostBytes = 4;
    const std::size_t margin = std::min(limit, text.size()) * 2 * kMostBytes + kMostBytes;
    std::size_t begin = first - std::min(first, margin);
    while (begin > 0 && is_continuation(text[begin]) && first - begin < margin + kMostBytes) {
      --begin;
    }
    const std::size_t end = last + std::min(text.size() - last, margin);
    // A match may be much longer than what is shown.
    const std::size_t stop = std::min(end, first + 2 * margin);
    points_ = visible_points(text, begin, stop);
    more_before_ = begin > 0 && text.find_first_not_of(kBlanks) < begin;
    more_after_ = stop < text.size() && text.find_last_not_of(kBlanks) >= stop;
    core_ = {.begin = index_of(first), .end = index_of(last)};
  }

  Snippet show(const std::vector<Match>& matches) const {
    Snippet snippet;
    const Span shown = shown_span();
    const std::size_t before = shown.cut_before ? 1 : 0;
    if (shown.cut_before) snippet.text += kEllipsis;
    for (std::size_t i = shown.begin; i < shown.end; ++i) snippet.text += points_[i].bytes;
    if (shown.cut_after) snippet.text += kEllipsis;
    for (const Match& match : matches) {
      const std::size_t begin = std::max(index_of(match.begin), shown.begin);
      const std::size_t end = std::min(index_of(match.end), shown.end);
      if (begin >= end) continue;
      const Mark mark{.begin = begin - shown.begin + before, .end = end - shown.begin + before};
      if (!snippet.marks.empty() && mark.begin <= snippet.marks.back().end) {
        snippet.marks.back().end = std::max(snippet.marks.back().end, mark.end);
      } else {
        snippet.marks.push_back(mark);
      }
    }
    return snippet;
  }

 private:
  // The first point that comes from `at` or after it.
  std::size_t index_of(std::size_t at) const {
    const auto place = std::ranges::lower_bound(points_, at, {}, &VisiblePoint::begin);
    return static_cast<std::size_t>(place - points_.begin());
  }

  Span shown_span() const {
    if (points_.size() <= limit_ && !more_before_ && !more_after_) {
      return {.begin = 0, .end = points_.size()};
    }
    if (limit_ <= kEllipses) return {.begin = core_.begin, .end = end_within(limit_)};
    // Where it reaches an end of the text there is room for one more.
    const Span wide = centred(limit_ - 1);
    return wide.ellipses() < kEllipses ? wide : centred(limit_ - kEllipses);
  }

  std::size_t end_within(std::size_t limit) const {
    return std::min(core_.begin + limit, points_.size());
  }

  // The core in the middle of `size` points, cut between words.
  Span centred(std::size_t size) const {
    const std::size_t core_end = std::min(core_.end, end_within(size));
    const std::size_t spare = size - (core_end - core_.begin);
    const std::size_t after_core = points_.size() - core_end;
    const std::size_t left = std::min(core_.begin, spare - std::min(after_core, spare - spare / 2));

    Span all{.begin = core_.begin - left};
    all.cut_before = all.begin > 0 || more_before_;
    if (all.cut_before) all.begin = begin_between_words(all.begin);
    const std::size_t right = std::min(after_core, spare - (core_.begin - all.begin));
    all.end = core_end + right;
    all.cut_after = all.end < points_.size() || more_after_;
    if (all.cut_after) all.end = end_between_words(all.end, std::max(core_end, all.begin + 1));
    while (all.begin < all.end && points_[all.begin].is_blank()) ++all.begin;
    while (all.begin < all.end && points_[all.end - 1].is_blank()) --all.end;
    return all;
  }

  // The first place from `begin` on where no word is cut, up to the core; `begin` itself where the
  // word is too long.
  std::size_t begin_between_words(std::size_t begin) const {
    const std::size_t last = std::min(core_.begin, begin + kLongWord);
    for (std::size_t i = begin; i <= last; ++i) {
      if (is_between_words(i)) return i;
    }
    return begin;
  }
  // The last place up to `end`, but not before `first`.
  std::size_t end_between_words(std::size_t end, std::size_t first) const {
    for (std::size_t i = end; i >= first && i + kLongWord >= end; --i) {
      if (is_between_words(i)) return i;
    }
    return end;
  }

  bool is_between_words(std::size_t at) const {
    const bool before = at > 0 ? points_[at - 1].is_of_word : more_before_;
    const bool after = at < points_.size() ? points_[at].is_of_word : more_after_;
    return !before || !after;
  }

  std::size_t limit_;
  std::vector<VisiblePoint> points_;
  bool more_before_ = false, more_after_ = false;  // whether there is text beyond the points
  Span core_;                                      // what the matches span
};

}  // namespace

Snippet make_snippet(std::string_view text, const Query& query, const std::vector<double>& weights,
                     std::size_t code_points) {
  const std::size_t room = code_points > kEllipses ? code_points - kEllipses : code_points;
  const std::vector<Match> matches = best_matches(text, query, weights, room);
  std::size_t first = 0, last = 0;
  if (matches.empty()) {
    first = last = std::min(text.find_first_not_of(kBlanks), text.size());
  } else {
    first = matches.front().begin;
    last = std::ranges::max(matches, {}, &Match::end).end;
  }
  return Frame(text, first, last, code_points).show(matches);
}

std::string with_marks(const Snippet& snippet, std::string_view open, std::string_view close) {
  std::string text;
  std::size_t point = 0;
  auto mark = snippet.marks.begin();
  const auto end_marks = snippet.marks.end();
  for (std::size_t at = 0; at < snippet.text.size(); ++point) {
    if (mark != end_marks && point == mark->begin) text += open;
    const std::size_t begin = at++;
    while (at < snippet.text.size() && is_continuation(snippet.text[at])) ++at;
    text.append(snippet.text, begin, at - begin);
    if (mark != end_marks && point + 1 == mark->end) {
      text += close;
      ++mark;
    }
  }
  return text;
}

std::size_t count_phrase(std::string_view text, const std::vector<std::string>& leaves) {
  if (leaves.empty()) return 0;
  PhraseFinder finder(leaves, Overlap::yes);
  std::size_t count = 0;
  auto visit = [&](const Term& term) { count += finder.take(term).has_value() ? 1 : 0; };
  each_term(text, visit);
  return count;
}

}  // namespace weft::search

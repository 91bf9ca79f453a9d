#include "weft/search/phrase.hpp"

namespace weft::search {

PhraseFinder::PhraseFinder(const std::vector<std::string>& leaves, Overlap overlap)
    : leaves_(&leaves),
      overlap_(overlap),
      fallback_(leaves.size() + 1, 0),
      begins_(leaves.size(), 0) {
  for (std::size_t i = 1; i < leaves.size(); ++i) {
    std::size_t length = fallback_[i];
    while (length > 0 && leaves[i] != leaves[length]) length = fallback_[length];
    fallback_[i + 1] = leaves[i] == leaves[length] ? length + 1 : 0;
  }
}

std::optional<std::size_t> PhraseFinder::take(const Term& term) {
  if (!term.is_leaf) return std::nullopt;
  if (term.position != next_position_) matched_ = 0;  // something that has no terms is between
  next_position_ = term.position + 1;
  while (matched_ > 0 && term.text != (*leaves_)[matched_]) matched_ = fallback_[matched_];
  if (term.text != (*leaves_)[matched_]) return std::nullopt;

  begins_[next_begin_] = term.begin;
  if (++next_begin_ == begins_.size()) next_begin_ = 0;
  if (++matched_ < leaves_->size()) return std::nullopt;
  matched_ = overlap_ == Overlap::yes ? fallback_[matched_] : 0;
  return begins_[next_begin_];  // the oldest of the ring
}

}  // namespace weft::search

#include "weft/store/inverted/run_builder.hpp"

#include <xxhash.h>

#include <algorithm>
#include <utility>

#include "weft/base/try.hpp"
#include "weft/store/pages/packed_terms.hpp"

namespace weft::store::sql {
namespace {

constexpr std::size_t kTextBytes = 1 << 16;

// The first eight bytes of a term as a number, in the same order.
std::uint64_t beginning_of(std::string_view term) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < sizeof value; ++i) {
    value = value << 8 | (i < term.size() ? static_cast<std::uint8_t>(term[i]) : 0);
  }
  return value;
}

}  // namespace

std::size_t RunBuilder::Hash::operator()(std::string_view text) const {
  return static_cast<std::size_t>(XXH3_64bits(text.data(), text.size()));
}

void RunBuilder::add(Document document, std::string_view packed) {
  // Only of long texts are terms counted (index_terms.hpp).
  const bool is_counted = packed.find(static_cast<char>(kRepeat)) != std::string_view::npos;
  const bool is_long = is_counted || packed.size() >= kLongDocument;
  const std::uint64_t before = tokens();
  std::uint32_t next = 0;  // position
  each_packed_term(packed, [&](std::string_view term, bool is_beside, std::uint32_t times) {
    const std::optional<TermNumber> number = number_of(term);
    if (number && is_long && !has_positions(index_)) {
      add_times(*number, times);
      return true;
    }
    for (; number && times > 0; --times) {
      if (!is_beside || next == 0) ++next;
      add_place(*number, next - 1, is_long);
    }
    return true;
  });
  if (tokens() == before) return;
  documents_.push_back({document, tokens_.size()});
  if (is_long) long_document_ = document;
}

RunBuilder::Packed& RunBuilder::add_times(TermNumber term, std::uint32_t times) {
  if (term >= packed_.size()) packed_.resize(std::size_t{term} + 1);
  packed_[term].times += times;
  packed_tokens_ += times;
  return packed_[term];
}

void RunBuilder::add_place(TermNumber term, std::uint32_t position, bool is_long) {
  if (!is_long) {
    tokens_.push_back({term, position});
    return;
  }
  Packed& packed = add_times(term, 1);
  append_varint(packed.positions, position - packed.last);
  packed.last = position;
}

std::optional<RunBuilder::TermNumber> RunBuilder::number_of(std::string_view term) {
  if (const auto found = numbers_.find(term); found != numbers_.end()) return found->second;
  if (!is_indexable(term)) return std::nullopt;
  const auto number = static_cast<TermNumber>(terms_.size());
  terms_.push_back(keep(term));
  numbers_.emplace(terms_.back(), number);
  return number;
}

std::string_view RunBuilder::keep(std::string_view term) {
  if (texts_.empty() || texts_.back().size() + term.size() > kTextBytes) {
    texts_.emplace_back().reserve(kTextBytes);
  }
  std::string& text = texts_.back();
  text += term;
  return std::string_view(text).substr(text.size() - term.size());
}

IndexRun RunBuilder::run() const {
  const Document first = documents_.front().document;
  return {.index = index_, .first = first, .documents = documents_.back().document - first + 1};
}

std::vector<RunBuilder::Place> RunBuilder::places(std::vector<std::size_t>& ends) const {
  ends.assign(terms_.size(), 0);
  for (const Token& token : tokens_) ++ends[token.term];
  std::size_t begin = 0;
  for (std::size_t& end : ends) begin += std::exchange(end, begin);
  // Each end is the term's begin now, and moves to its end.
  std::vector<Place> places(tokens_.size());
  std::size_t at = 0;
  for (std::uint32_t i = 0; i < documents_.size(); ++i) {
    for (; at < documents_[i].end; ++at) {
      places[ends[tokens_[at].term]++] = {i, tokens_[at].position};
    }
  }
  return places;
}

std::vector<RunBuilder::TermNumber> RunBuilder::in_order() const {
  struct Entry {
    std::uint64_t beginning;
    TermNumber number;
  };
  std::vector<Entry> entries;
  entries.reserve(terms_.size());
  for (TermNumber i = 0; i < terms_.size(); ++i) entries.push_back({beginning_of(terms_[i]), i});
  std::ranges::sort(entries, [this](const Entry& a, const Entry& b) {
    if (a.beginning != b.beginning) return a.beginning < b.beginning;
    return terms_[a.number] < terms_[b.number];
  });
  std::vector<TermNumber> order;
  order.reserve(entries.size());
  for (const Entry& entry : entries) order.push_back(entry.number);
  return order;
}

Status RunBuilder::write_term(RunWriter& writer, std::string_view term, const Place* begin,
                              const Place* end) const {
  std::string positions;
  while (begin != end) {
    const std::uint32_t added = begin->added;
    std::uint32_t times = 0, before = 0;
    positions.clear();
    for (; begin != end && begin->added == added; ++begin, ++times) {
      if (has_positions(index_)) append_varint(positions, begin->position - before);
      before = begin->position;
    }
    WEFT_TRY(writer.add(term, {documents_[added].document, times}, positions));
  }
  return {};
}

Status RunBuilder::write(RunWriter& writer) {
  std::vector<std::size_t> ends;
  const std::vector<Place> all = places(ends);
  for (const TermNumber term : in_order()) {
    const std::size_t begin = term == 0 ? 0 : ends[term - 1];
    WEFT_TRY(write_term(writer, terms_[term], all.data() + begin, all.data() + ends[term]));
    if (term >= packed_.size() || packed_[term].times == 0) continue;
    const Packed& packed = packed_[term];
    WEFT_TRY(writer.add(terms_[term], {*long_document_, packed.times}, packed.positions));
  }
  documents_.clear();
  tokens_.clear();
  long_document_.reset();
  packed_ = {};
  packed_tokens_ = 0;
  numbers_.clear();
  terms_.clear();
  texts_.clear();
  return writer.flush();
}

}  // namespace weft::store::sql

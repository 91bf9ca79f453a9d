// InvertedIndex: questions. A document's positions are compared as one number each: the document,
// then the position.
#include "weft/store/inverted/inverted_index.hpp"

#include <algorithm>
#include <deque>
#include <iterator>
#include <optional>
#include <utility>

#include "weft/base/try.hpp"
#include "weft/store/inverted/damaged_run.hpp"
#include "weft/store/inverted/position_reader.hpp"
#include "weft/store/inverted/term_merge.hpp"
#include "weft/store/inverted/term_page.hpp"

namespace weft::store::sql {
namespace {

using Occurrence = std::uint64_t;  // document · 2³² + position

// The postings of an entry, and where their positions are.
struct Segment {
  IndexRun run;
  std::string key;                 // of its page
  std::size_t begin = 0, end = 0;  // in Matched::postings
  std::uint64_t positions_at = 0, positions = 0;
};

// What a term matches, or all terms with a prefix.
struct Matched {
  std::vector<Posting> postings{};  // by segment, in order inside each
  std::vector<Segment> segments{};
  std::size_t terms = 0;  // that differ
};

// Appends the postings of an entry.
bool append_postings(const TermEntry& entry, const IndexRun& run, std::vector<Posting>& out) {
  PostingCursor cursor(entry.postings, run.documents);
  // None takes less than a byte.
  const std::size_t needed = out.size() + entry.postings.size();
  if (out.capacity() < needed) out.reserve(std::max(needed, 2 * out.capacity()));
  while (cursor.next()) {
    out.push_back({run.first + cursor.posting().document, cursor.posting().times});
  }
  return !cursor.is_damaged();
}

// Finds what one term, or all terms with a prefix, match.
Result<Matched> match(IndexPages& pages, Index index, const std::string& term, bool is_prefix) {
  Matched out;
  std::string last;
  const auto visit = [&](const IndexRun& run, std::string_view key,
                         std::string_view page) -> Status {
    WEFT_TRY_VALUE(auto body, body_of(run, PageKind::terms, key, page));
    TermPageReader entries(body);
    while (entries.next()) {
      const TermEntry& entry = entries.entry();
      if (entry.term < term) continue;
      if (is_prefix ? !entry.term.starts_with(term) : entry.term != term) return {};
      const bool is_same = entry.term == last;
      const std::size_t begin = out.postings.size();
      if (!append_postings(entry, run, out.postings)) {
        return damaged_run(run, PageKind::terms, key, "a posting cannot be read");
      }
      if (is_same && out.postings[begin - 1].document >= out.postings[begin].document) {
        return damaged_run(run, PageKind::terms, key, "its documents are not in order");
      }
      out.terms += is_same ? 0 : 1;
      last = entry.term;
      out.segments.push_back({.run = run,
                              .key = std::string(key),
                              .begin = begin,
                              .end = out.postings.size(),
                              .positions_at = entry.positions_at,
                              .positions = entry.positions});
    }
    if (entries.is_damaged()) {
      return damaged_run(run, PageKind::terms, key, "an entry cannot be read");
    }
    return {};
  };
  const std::string to = is_prefix ? after_prefix(term) : after_term(term);
  WEFT_TRY(pages.each_page(index, term_key(term, 0), to, visit));
  return out;
}

// The documents that match, in order.
std::vector<Document> documents_of(const Matched& matched) {
  std::vector<Document> out;
  out.reserve(matched.postings.size());
  for (const Posting& posting : matched.postings) out.push_back(posting.document);
  if (matched.terms == 1) return out;
  std::ranges::sort(out);
  const auto same = std::ranges::unique(out);
  out.erase(same.begin(), same.end());
  return out;
}

// Those of `documents` that match too. Few are looked up among many.
std::vector<Document> common_documents(const std::vector<Document>& documents,
                                       const Matched& matched) {
  std::vector<Document> out;
  if (matched.terms > 1 || documents.size() * 16 >= matched.postings.size()) {
    std::ranges::set_intersection(documents, documents_of(matched), std::back_inserter(out));
    return out;
  }
  std::span<const Posting> left(matched.postings);
  for (const Document document : documents) {
    const auto found = std::ranges::lower_bound(left, document, {}, &Posting::document);
    left = {found, left.end()};
    if (!left.empty() && left.front().document == document) out.push_back(document);
  }
  return out;
}

// The documents that match all.
std::vector<Document> documents_of_all(const std::vector<Matched>& all) {
  std::vector<const Matched*> order;
  for (const Matched& matched : all) order.push_back(&matched);
  std::ranges::sort(order, {}, [](const Matched* matched) { return matched->postings.size(); });
  std::vector<Document> documents = documents_of(*order.front());
  for (const Matched* matched : std::span(order).subspan(1)) {
    documents = common_documents(documents, *matched);
  }
  return documents;
}

// Reads positions. It keeps one reader for each run, because segments of a run are read in order.
class Positions {
 public:
  explicit Positions(IndexPages& pages) : pages_(pages) {}

  // All occurrences in these documents, or in all; in order, each once.
  Result<std::vector<Occurrence>> of(const Matched& matched,
                                     const std::optional<std::vector<Document>>& documents) {
    std::vector<Occurrence> out;
    for (const Segment& segment : matched.segments) {
      const std::span<const Posting> postings(matched.postings.begin() + at(segment.begin),
                                              matched.postings.begin() + at(segment.end));
      std::span<const Document> wanted;
      if (documents) {
        const auto from = std::ranges::lower_bound(*documents, postings.front().document);
        const auto to = std::ranges::upper_bound(*documents, postings.back().document);
        if (from == to) continue;
        wanted = {from, to};
      }
      WEFT_TRY(read(segment, postings, documents ? &wanted : nullptr, out));
    }
    if (matched.terms > 1) std::ranges::sort(out);
    const auto same = std::ranges::unique(out);
    out.erase(same.begin(), same.end());
    return out;
  }

 private:
  static std::ptrdiff_t at(std::size_t index) { return static_cast<std::ptrdiff_t>(index); }

  Status read(const Segment& segment, std::span<const Posting> postings,
              const std::span<const Document>* wanted, std::vector<Occurrence>& out) {
    if (readers_.empty() || segment.run.number != run_) {
      readers_.clear();
      readers_.emplace_back(pages_, segment.run);
      run_ = segment.run.number;
    }
    WEFT_TRY_VALUE(auto bytes, readers_.back().read(segment.positions_at, segment.positions));
    auto next = wanted == nullptr ? std::span<const Document>::iterator() : wanted->begin();
    std::uint64_t skipped = 0;  // positions
    bool is_whole = true;
    for (const Posting& posting : postings) {
      if (wanted != nullptr) {
        while (next != wanted->end() && *next < posting.document) ++next;
        if (next == wanted->end()) break;
        if (*next != posting.document) {
          skipped += posting.times;
          continue;
        }
      }
      const auto size = size_of_varints(bytes, std::exchange(skipped, 0));
      if (size) bytes.remove_prefix(*size);
      const auto keep = [&](std::uint32_t position) {
        out.push_back(Occurrence{posting.document} << 32 | position);
      };
      is_whole = size && take_positions(bytes, posting.times, keep);
      if (!is_whole) break;
    }
    if (is_whole) return {};
    return damaged_run(segment.run, PageKind::terms, segment.key, "its positions do not match");
  }

  IndexPages& pages_;
  std::deque<PositionReader> readers_;
  std::int64_t run_ = 0;
};

std::vector<Posting> counted(const std::vector<Occurrence>& occurrences) {
  std::vector<Posting> out;
  for (const Occurrence one : occurrences) {
    const auto document = static_cast<Document>(one >> 32);
    if (out.empty() || out.back().document != document) out.push_back({document, 0});
    ++out.back().times;
  }
  return out;
}

// Those of `after` that are one position behind one of `before`.
std::vector<Occurrence> following(const std::vector<Occurrence>& before,
                                  const std::vector<Occurrence>& after) {
  std::vector<Occurrence> out;
  auto left = before.begin();
  for (const Occurrence one : after) {
    if (static_cast<std::uint32_t>(one) == 0) continue;
    while (left != before.end() && *left < one - 1) ++left;
    if (left != before.end() && *left == one - 1) out.push_back(one);
  }
  return out;
}

}  // namespace

Result<std::vector<Posting>> InvertedIndex::find(const Sought& sought) {
  const bool needs_positions = sought.terms.size() > 1 || sought.is_prefix;
  if (needs_positions && !has_positions(index_)) {
    return fail(ErrorCode::internal, "a sealed index has no positions: ask for one whole term");
  }
  std::vector<Matched> all;
  for (std::size_t i = 0; i < sought.terms.size(); ++i) {
    const bool is_prefix = sought.is_prefix && i + 1 == sought.terms.size();
    WEFT_TRY_VALUE(auto matched, match(pages_, index_, sought.terms[i], is_prefix));
    if (matched.postings.empty()) return std::vector<Posting>();
    all.push_back(std::move(matched));
  }
  if (all.empty()) return std::vector<Posting>();
  if (all.size() == 1 && all.front().terms == 1) return std::move(all.front().postings);

  std::optional<std::vector<Document>> documents;
  if (all.size() > 1) documents = documents_of_all(all);
  Positions positions(pages_);
  std::vector<Occurrence> found;
  for (const Matched& matched : all) {
    WEFT_TRY_VALUE(auto here, positions.of(matched, documents));
    found = &matched == &all.front() ? std::move(here) : following(found, here);
  }
  return counted(found);
}

Status InvertedIndex::each_term(std::string_view prefix, const Postings::VisitTerm& visit) {
  WEFT_TRY_VALUE(auto runs, pages_.runs(index_));
  TermMerge terms(pages_, runs, RunReader::Positions::skipped);
  terms.start_at(prefix);
  while (true) {
    WEFT_TRY_VALUE(auto has_term, terms.next_term());
    if (!has_term || !terms.term().starts_with(prefix)) return {};
    std::uint64_t documents = 0;
    while (true) {
      WEFT_TRY_VALUE(auto has_more, terms.next_posting());
      if (!has_more) break;
      ++documents;
    }
    if (documents > 0 && !visit(terms.term(), documents)) return {};
  }
}

}  // namespace weft::store::sql

#include "weft/store/inverted/run_reader.hpp"

#include "weft/base/try.hpp"
#include "weft/store/inverted/damaged_run.hpp"

namespace weft::store::sql {
namespace {

// A reader that starts may stop soon.
constexpr std::size_t kPagesAtFirst = 2, kPagesAtOnce = 16;

}  // namespace

RunReader::RunReader(IndexPages& pages, const IndexRun& run, Positions positions)
    : pages_(&pages),
      run_(run),
      with_positions_(positions == Positions::read && has_positions(run.index)),
      stream_(pages, run) {}

std::unexpected<Error> RunReader::damaged(std::string_view why) const {
  return damaged_run(run_, PageKind::terms, read_[next_page_ - 1].key, why);
}

Result<bool> RunReader::next_page() {
  if (next_page_ == read_.size() && !is_at_end_) {
    const bool is_first = read_.empty();
    const std::string from = is_first ? term_key(start_, 0) : read_.back().key;
    WEFT_TRY_VALUE(read_, pages_->read_pages(run_.number, PageKind::terms, from,
                                             is_first ? kPagesAtFirst : kPagesAtOnce));
    // The last page that was read comes again.
    next_page_ = is_first || read_.empty() || read_.front().key != from ? 0 : 1;
    is_at_end_ = next_page_ == read_.size();
  }
  if (is_at_end_) return false;
  const IndexPage& page = read_[next_page_++];
  WEFT_TRY_VALUE(auto body, body_of(run_, PageKind::terms, page));
  page_.emplace(body);
  return true;
}

Result<bool> RunReader::next_entry() {
  while (true) {
    while (!page_ || !page_->next()) {
      if (page_ && page_->is_damaged()) return damaged("an entry cannot be read");
      page_.reset();
      WEFT_TRY_VALUE(auto has_more, next_page());
      if (!has_more) return false;
    }
    const TermEntry& entry = page_->entry();
    if (entry.term < term_) return damaged("its terms are not in order");
    if (entry.term < start_) continue;
    cursor_ = PostingCursor(entry.postings, run_.documents);
    if (with_positions_) {
      WEFT_TRY_VALUE(positions_left_, stream_.read(entry.positions_at, entry.positions));
    }
    return true;
  }
}

Result<bool> RunReader::next_term() {
  while (!is_waiting_) {
    WEFT_TRY_VALUE(auto has_more, next_entry());
    if (!has_more) return false;
    is_waiting_ = page_->entry().term != term_;
  }
  is_waiting_ = false;
  term_ = page_->entry().term;
  posting_ = {};
  return true;
}

Result<bool> RunReader::next_posting() {
  while (!is_waiting_) {
    if (cursor_.next()) {
      WEFT_TRY(take_positions());
      const Document document = run_.first + cursor_.posting().document;
      if (document <= posting_.document) return damaged("its documents are not in order");
      posting_ = {document, cursor_.posting().times};
      return true;
    }
    if (cursor_.is_damaged()) return damaged("a posting cannot be read");
    WEFT_TRY_VALUE(auto has_more, next_entry());
    if (!has_more) return false;
    is_waiting_ = page_->entry().term != term_;
  }
  return false;
}

Status RunReader::take_positions() {
  if (!with_positions_) return {};
  const auto size = size_of_varints(positions_left_, cursor_.posting().times);
  if (!size) return damaged("its positions do not match");
  positions_ = positions_left_.substr(0, *size);
  positions_left_.remove_prefix(*size);
  return {};
}

}  // namespace weft::store::sql

#include "weft/store/inverted/run_writer.hpp"

#include "weft/base/try.hpp"
#include "weft/store/inverted/damaged_run.hpp"

namespace weft::store::sql {
namespace {

// The numbers before the postings of an entry take no more.
constexpr std::size_t kEntryHead = 16;

}  // namespace

RunWriter::RunWriter(IndexPages& pages, const IndexRun& run) : pages_(pages), run_(run) {}

Status RunWriter::resume() {
  WEFT_TRY_VALUE(auto last, pages_.read_pages(run_.number, PageKind::terms, after_prefix(""), 1));
  if (last.empty()) return {};
  WEFT_TRY_VALUE(auto body, body_of(run_, PageKind::terms, last.front()));
  TermPageReader page(body);
  while (page.next()) {
  }
  if (page.is_damaged()) {
    return damaged_run(run_, PageKind::terms, last.front().key, "an entry cannot be read");
  }
  stream_at_ = page.entry().positions_at + page.entry().positions;
  return {};
}

Status RunWriter::add(std::string_view term, const Posting& posting, std::string_view positions) {
  if (term != term_ || postings_.empty()) {
    WEFT_TRY(begin_term(term));
  } else if (is_full(term_.size() + postings_.size())) {
    WEFT_TRY(write_terms());
  }
  const std::uint32_t document = posting.document - run_.first;
  if (postings_.empty()) {
    entry_first_ = document;
    last_ = 0;
  }
  append_posting(postings_, document - last_, posting.times);
  last_ = document;
  entry_positions_ += positions.size();
  stream_ += positions;
  if (stream_.size() >= 2 * kIndexPageBytes) {
    WEFT_TRY(write_positions(stream_.size() - kIndexPageBytes));
  }
  return {};
}

// Whether an entry of this size does not fit on the page.
bool RunWriter::is_full(std::size_t more) const {
  return (page_key_.empty() ? 0 : page_.size()) + kEntryHead + more > kIndexPageBytes;
}

Status RunWriter::begin_term(std::string_view term) {
  close_entry();
  if (is_full(term.size())) {
    WEFT_TRY(write_terms());
  }
  term_ = term;
  return {};
}

void RunWriter::close_entry() {
  if (postings_.empty()) return;
  if (page_key_.empty()) {
    page_key_ = term_key(term_, entry_first_);
    const std::uint64_t at = stream_at_ + stream_.size() - entry_positions_;
    page_.start(has_positions(run_.index) ? std::optional(at) : std::nullopt);
  }
  page_.add(term_, postings_, entry_positions_);
  postings_.clear();
  entry_positions_ = 0;
}

Status RunWriter::write_terms() {
  close_entry();
  if (page_key_.empty()) return {};
  WEFT_TRY(put(PageKind::terms, page_key_, page_.body()));
  page_key_.clear();
  return {};
}

// Writes so many bytes of the stream and a little more, to fill pages.
Status RunWriter::write_positions(std::size_t bytes) {
  std::size_t done = 0;
  while (done < bytes) {
    const std::string_view piece = std::string_view(stream_).substr(done, kIndexPageBytes);
    WEFT_TRY(put(PageKind::positions, position_key(stream_at_ + done), piece));
    done += piece.size();
  }
  stream_.erase(0, done);
  stream_at_ += done;
  return {};
}

Status RunWriter::flush() {
  WEFT_TRY(write_terms());
  return write_positions(stream_.size());
}

Status RunWriter::put(PageKind kind, const std::string& key, std::string_view body) {
  const std::string page = to_page(key, body);
  written_ += key.size() + page.size();
  return pages_.put_page(run_.number, kind, key, page);
}

}  // namespace weft::store::sql

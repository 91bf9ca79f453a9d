#include "weft/store/inverted/run_trim.hpp"

#include <optional>

#include "weft/base/try.hpp"
#include "weft/store/inverted/damaged_run.hpp"
#include "weft/store/inverted/position_reader.hpp"
#include "weft/store/inverted/term_page.hpp"

namespace weft::store::sql {
namespace {

// What is left of an entry.
struct Rest {
  std::string postings{};
  std::uint32_t first = 0;         // its first document, counted from the first of the run
  std::uint64_t positions_at = 0;  // and its positions
};

class Trim {
 public:
  Trim(IndexPages& pages, const IndexRun& run, const PostingPlace& place)
      : pages_(pages), run_(run), place_(place) {}

  Status run() {
    const std::uint32_t document = place_.document < run_.first ? 0 : place_.document - run_.first;
    WEFT_TRY_VALUE(auto read, pages_.read_pages(run_.number, PageKind::terms,
                                                term_key(place_.term, document), 2));
    if (read.empty()) return pages_.remove_run(run_.number);
    const IndexPage& page = read.front();
    WEFT_TRY(cut(page));
    if (key_ == page.key) return {};  // nothing of the run is so early
    if (key_.empty() && read.size() == 1) return pages_.remove_run(run_.number);
    WEFT_TRY(pages_.drop_pages(run_.number, PageKind::terms, page.key + '\0'));
    if (!key_.empty()) {
      WEFT_TRY(pages_.put_page(run_.number, PageKind::terms, key_, to_page(key_, left_.body())));
    }
    return drop_positions();
  }

 private:
  // Makes a page of what is left of this one.
  Status cut(const IndexPage& page) {
    WEFT_TRY_VALUE(auto body, body_of(run_, PageKind::terms, page));
    TermPageReader entries(body);
    while (entries.next()) {
      const TermEntry& entry = entries.entry();
      stream_at_ = entry.positions_at + entry.positions;
      if (entry.term < place_.term) continue;
      const auto rest = rest_of(entry);
      if (!rest) return damaged_run(run_, PageKind::terms, page.key, rest.error().message);
      if (rest->postings.empty()) continue;
      if (key_.empty()) {
        key_ = term_key(entry.term, rest->first);
        left_.start(entries.has_positions() ? std::optional(rest->positions_at) : std::nullopt);
        first_at_ = rest->positions_at;
      }
      left_.add(entry.term, rest->postings, stream_at_ - rest->positions_at);
    }
    if (entries.is_damaged()) {
      return damaged_run(run_, PageKind::terms, page.key, "an entry cannot be read");
    }
    return {};
  }

  Result<Rest> rest_of(const TermEntry& entry) {
    PostingCursor cursor(entry.postings, run_.documents);
    std::uint64_t gone = 0;  // positions
    while (cursor.next()) {
      const Posting& posting = cursor.posting();
      if (entry.term == place_.term && run_.first + posting.document <= place_.document) {
        gone += posting.times;
        continue;
      }
      Rest rest{.first = posting.document, .positions_at = entry.positions_at};
      append_posting(rest.postings, posting.document, posting.times);
      rest.postings += cursor.rest();
      if (gone == 0 || entry.positions == 0) return rest;
      PositionReader stream(pages_, run_);
      WEFT_TRY_VALUE(auto positions, stream.read(entry.positions_at, entry.positions));
      const auto size = size_of_varints(positions, gone);
      if (!size) return fail(ErrorCode::corrupt, "its positions do not match");
      rest.positions_at += *size;
      return rest;
    }
    if (cursor.is_damaged()) return fail(ErrorCode::corrupt, "a posting cannot be read");
    return Rest{};
  }

  // Removes the pages of positions that end before what is left begins.
  Status drop_positions() {
    const std::string from = position_key(key_.empty() ? stream_at_ : first_at_);
    WEFT_TRY_VALUE(auto first, pages_.read_pages(run_.number, PageKind::positions, from, 1));
    if (first.empty()) return {};
    return pages_.drop_pages(run_.number, PageKind::positions, first.front().key);
  }

  IndexPages& pages_;
  const IndexRun& run_;
  const PostingPlace& place_;
  TermPageWriter left_;
  std::string key_;              // of the page that is left; empty if none is
  std::uint64_t first_at_ = 0;   // where its positions begin
  std::uint64_t stream_at_ = 0;  // where those of the page that is cut end
};

}  // namespace

Status trim(IndexPages& pages, const IndexRun& run, const PostingPlace& place) {
  return Trim(pages, run, place).run();
}

}  // namespace weft::store::sql

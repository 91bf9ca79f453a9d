// Pages of an inverted index as bytes. Pure functions, for hostile bytes too: bytes that are not
// what a writer wrote are refused, and nothing outside them is read.
//
// A page of terms has entries: a term and its postings in some documents of a run. The positions of
// all postings are one stream of bytes, cut into pages of positions. docs/formats/index.md has the
// grammar.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "weft/base/result.hpp"
#include "weft/store/pages/pack.hpp"
#include "weft/store/postings/postings.hpp"

namespace weft::store::sql {

// The most bytes of a page, so that one fills a page of SQLite or PostgreSQL with its key. An entry
// may exceed it by its term.
inline constexpr std::size_t kIndexPageBytes = 7'850;
// A longer term, or one with a zero byte or the byte 255, is not indexed. No term of ours is.
inline constexpr std::size_t kMaxIndexedTermBytes = 254;
bool is_indexable(std::string_view term);

// `document` is counted from the first of the run.
std::string term_key(std::string_view term, std::uint32_t document);
std::string position_key(std::uint64_t offset);
// Pages of terms with the prefix lie from term_key(prefix, 0) to this; empty for every term.
std::string after_prefix(std::string_view prefix);
// The same of one term.
std::string after_term(std::string_view term);
// The document in a key of a page of terms; the offset of a page of positions. corrupt
Result<std::uint32_t> document_in_key(std::string_view key);
Result<std::uint64_t> offset_in_key(std::string_view key);

// The bytes of a page, from its body; and back: corrupt if the key or the body has changed.
std::string to_page(std::string_view key, std::string_view body);
Result<std::string_view> page_body(std::string_view key, std::string_view page);

// One term on one page. Views point into the page, but for `term`.
struct TermEntry {
  std::string_view term{};  // until the next entry is read
  std::string_view postings{};
  std::uint64_t positions_at = 0;  // in the stream of the run
  std::uint64_t positions = 0;     // bytes
};

// Writes the body of a page of terms.
class TermPageWriter {
 public:
  // Starts a page. `positions_at`: where the positions of its first entry begin.
  void start(std::optional<std::uint64_t> positions_at);
  // Terms come in order, none twice.
  void add(std::string_view term, std::string_view postings, std::uint64_t positions);
  std::size_t size() const { return body_.size(); }
  const std::string& body() const { return body_; }

 private:
  std::string body_, term_;
  bool has_positions_ = false;
};

// Reads the body of a page of terms entry by entry.
class TermPageReader {
 public:
  // `body` outlives it. Damaged if there is no start.
  explicit TermPageReader(std::string_view body);
  // Moves to the next entry. False at the end, and where the page is damaged.
  bool next();
  const TermEntry& entry() const { return entry_; }
  bool has_positions() const { return has_positions_; }
  bool is_damaged() const { return is_damaged_; }

 private:
  std::string_view left_;
  std::string term_;
  TermEntry entry_;
  bool has_positions_ = false, is_damaged_ = false;
};

// Reads the postings of an entry.
class PostingCursor {
 public:
  PostingCursor() = default;
  // `postings` outlives it. Documents are below `documents`.
  PostingCursor(std::string_view postings, std::uint32_t documents)
      : left_(postings), documents_(documents) {}

  // Moves to the next posting. False at the end, and where the bytes are damaged.
  bool next();
  // Its document is counted from the first of the run.
  const Posting& posting() const { return posting_; }
  bool is_damaged() const { return is_damaged_; }
  // The bytes of the postings after this one.
  std::string_view rest() const { return left_; }

 private:
  bool take(std::uint64_t& value);

  std::string_view left_;
  std::uint32_t documents_ = 0;
  Posting posting_{};
  bool is_first_ = true, is_damaged_ = false;
};

void append_posting(std::string& out, std::uint32_t step, std::uint32_t times);

// The number of bytes that `count` varints at the front of `bytes` take; empty if there are fewer.
std::optional<std::size_t> size_of_varints(std::string_view bytes, std::uint64_t count);

// --- inline -----------------------------------------------------------------------------------

inline bool PostingCursor::take(std::uint64_t& value) {
  if (!left_.empty() && static_cast<std::uint8_t>(left_.front()) < 0x80) {
    value = static_cast<std::uint8_t>(left_.front());
    left_.remove_prefix(1);
    return true;
  }
  const std::optional<std::uint64_t> taken = take_varint(left_);
  is_damaged_ = !taken;
  value = taken.value_or(0);
  return taken.has_value();
}

inline bool PostingCursor::next() {
  if (left_.empty() || is_damaged_) return false;
  std::uint64_t step = 0, times = 1;
  if (!take(step)) return false;
  if ((step & 1) == 0) {
    if (!take(times)) return false;
    if (times <= UINT32_MAX) times += 2;
  }
  step >>= 1;
  const std::uint64_t document = posting_.document + step;
  const bool is_in_order = is_first_ || step > 0;
  if (!is_in_order || step >= documents_ || document >= documents_ || times > UINT32_MAX) {
    is_damaged_ = true;
    return false;
  }
  is_first_ = false;
  posting_ = {static_cast<Document>(document), static_cast<std::uint32_t>(times)};
  return true;
}

}  // namespace weft::store::sql

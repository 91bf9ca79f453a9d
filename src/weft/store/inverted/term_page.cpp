#include "weft/store/inverted/term_page.hpp"

#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "weft/store/pages/column_bytes.hpp"

namespace weft::store::sql {
namespace {

constexpr std::size_t kChecksumBytes = 4, kDocumentBytes = 4, kOffsetBytes = 8;

template <class Number>
void append_big_endian(std::string& out, Number value, std::size_t bytes) {
  for (std::size_t shift = bytes * 8; shift > 0; shift -= 8) {
    out += static_cast<char>(value >> (shift - 8) & 0xFF);
  }
}

std::uint64_t big_endian(std::string_view bytes) {
  std::uint64_t value = 0;
  for (const char byte : bytes) value = value << 8 | static_cast<std::uint8_t>(byte);
  return value;
}

// Over key and body: a page that took the place of another is found too.
std::string checksum_of(std::string_view key, std::string_view body) {
  const std::uint64_t seed = XXH3_64bits(key.data(), key.size());
  const std::uint64_t hash = XXH3_64bits_withSeed(body.data(), body.size(), seed);
  std::string out;
  append_big_endian(out, static_cast<std::uint32_t>(hash), kChecksumBytes);
  return out;
}

std::unexpected<Error> damaged_page(std::string_view what) {
  return fail(ErrorCode::corrupt, std::string(what));
}

std::size_t shared_by(std::string_view a, std::string_view b) {
  const std::size_t least = std::min(a.size(), b.size());
  return static_cast<std::size_t>(
      std::mismatch(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(least), b.begin()).first -
      a.begin());
}

}  // namespace

bool is_indexable(std::string_view term) {
  constexpr std::string_view kNotInTerms("\0\xff", 2);
  return !term.empty() && term.size() <= kMaxIndexedTermBytes &&
         term.find_first_of(kNotInTerms) == std::string_view::npos;
}

std::string term_key(std::string_view term, std::uint32_t document) {
  std::string key(term);
  key += '\0';
  append_big_endian(key, document, kDocumentBytes);
  return key;
}

std::string position_key(std::uint64_t offset) {
  std::string key;
  append_big_endian(key, offset, kOffsetBytes);
  return key;
}

std::string after_prefix(std::string_view prefix) { return std::string(prefix) + '\xff'; }
std::string after_term(std::string_view term) { return std::string(term) + '\x01'; }

Result<std::uint32_t> document_in_key(std::string_view key) {
  if (key.size() <= kDocumentBytes) return damaged_page("the key of a page is too short");
  return static_cast<std::uint32_t>(big_endian(key.substr(key.size() - kDocumentBytes)));
}

Result<std::uint64_t> offset_in_key(std::string_view key) {
  if (key.size() != kOffsetBytes) return damaged_page("the key of a page is not an offset");
  return big_endian(key);
}

std::string to_page(std::string_view key, std::string_view body) {
  return checksum_of(key, body).append(body);
}

Result<std::string_view> page_body(std::string_view key, std::string_view page) {
  const std::string_view body = page.substr(std::min(page.size(), kChecksumBytes));
  if (page.size() < kChecksumBytes || page.substr(0, kChecksumBytes) != checksum_of(key, body)) {
    return damaged_page("its checksum is wrong");
  }
  return body;
}

void TermPageWriter::start(std::optional<std::uint64_t> positions_at) {
  body_.clear();
  term_.clear();
  has_positions_ = positions_at.has_value();
  append_varint(body_, positions_at ? *positions_at + 1 : 0);
}

void TermPageWriter::add(std::string_view term, std::string_view postings,
                         std::uint64_t positions) {
  const std::size_t shared = shared_by(term_, term);
  append_varint(body_, shared);
  append_varint(body_, term.size() - shared);
  body_ += term.substr(shared);
  append_varint(body_, postings.size());
  if (has_positions_) append_varint(body_, positions);
  body_ += postings;
  term_ = term;
}

TermPageReader::TermPageReader(std::string_view body) : left_(body) {
  const std::optional<std::uint64_t> start = take_varint(left_);
  is_damaged_ = !start;
  has_positions_ = start.value_or(0) > 0;
  if (has_positions_) entry_.positions_at = *start - 1;
}

bool TermPageReader::next() {
  if (is_damaged_ || left_.empty()) return false;
  ColumnReader columns(left_);
  const std::uint64_t shared = columns.take();
  const std::string_view suffix = columns.take_text();
  const std::size_t postings = columns.take_count();
  const std::uint64_t positions = has_positions_ ? columns.take() : 0;
  const std::string_view rest = columns.rest();
  const std::uint64_t positions_at = entry_.positions_at + entry_.positions;
  // Terms differ and are in order: what follows the shared bytes is greater.
  const bool is_in_order =
      shared <= term_.size() && std::string_view(term_).substr(shared) < suffix;
  is_damaged_ = !columns.is_whole() || !is_in_order || postings == 0 || postings > rest.size() ||
                shared + suffix.size() > kMaxIndexedTermBytes ||
                positions_at + positions < positions_at;
  if (is_damaged_) return false;
  term_.resize(shared);
  term_ += suffix;
  entry_ = {.term = term_,
            .postings = rest.substr(0, postings),
            .positions_at = positions_at,
            .positions = positions};
  left_ = rest.substr(postings);
  return true;
}

void append_posting(std::string& out, std::uint32_t step, std::uint32_t times) {
  append_varint(out, std::uint64_t{step} << 1 | (times == 1 ? 1 : 0));
  if (times != 1) append_varint(out, times - 2);
}

// A varint ends with a byte below 128: eight bytes at once are counted by their highest bits.
std::optional<std::size_t> size_of_varints(std::string_view bytes, std::uint64_t count) {
  constexpr std::uint64_t kHighBits = 0x8080'8080'8080'8080;
  std::size_t at = 0;
  while (count >= 8 && bytes.size() - at >= 8) {
    std::uint64_t eight = 0;
    std::memcpy(&eight, bytes.data() + at, sizeof eight);
    count -= static_cast<std::uint64_t>(std::popcount(~eight & kHighBits));
    at += sizeof eight;
  }
  for (; count > 0 && at < bytes.size(); ++at) {
    count -= static_cast<std::uint8_t>(bytes[at]) < 0x80 ? 1 : 0;
  }
  return count == 0 ? std::optional(at) : std::nullopt;
}

}  // namespace weft::store::sql

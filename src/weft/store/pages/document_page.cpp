#include "weft/store/pages/document_page.hpp"

#include <bit>
#include <cstring>

#include "weft/base/try.hpp"
#include "weft/search/score.hpp"

namespace weft::store::sql {
namespace {

constexpr std::size_t kMostVarintBytes = 10;
constexpr std::size_t kMostRowBytes = 8 * kMostVarintBytes;

// Varints one after another, from bytes after which so many zeroes follow that a row which begins
// before the end needs no look at where it ends. A varint of one byte, as most are, costs a look
// and a step, one of two bytes twice that; one of up to eight is read at once.
class Varints {
 public:
  explicit Varints(const std::string& padded)
      : at_(padded.data()), end_(at_ + padded.size() - kMostRowBytes) {}

  bool is_at_end() const { return at_ >= end_; }
  // False if a varint was none, or the last one went on beyond the end.
  bool hold() const { return !is_broken_ && at_ <= end_; }

  std::uint64_t next() {
    const auto first = static_cast<std::uint8_t>(*at_);
    if (first < 0x80) {
      ++at_;
      return first;
    }
    const auto second = static_cast<std::uint8_t>(at_[1]);
    if (second < 0x80) {
      at_ += 2;
      return (first & 0x7fu) | static_cast<std::uint64_t>(second) << 7;
    }
    std::uint64_t word = 0;
    std::memcpy(&word, at_, sizeof word);
    if constexpr (std::endian::native == std::endian::big) word = std::byteswap(word);
    const std::uint64_t ends = ~word & 0x8080808080808080;  // the last byte has no top bit
    if (ends == 0) return next_long();
    at_ += (std::countr_zero(ends) + 1) / 8;
    // Seven bits of each byte up to the last, moved together by pairs of one byte, two and four.
    word &= (ends ^ (ends - 1)) & 0x7f7f7f7f7f7f7f7f;
    word = (word & 0x007f007f007f007f) | (word & 0x7f007f007f007f00) >> 1;
    word = (word & 0x00003fff00003fff) | (word & 0x3fff00003fff0000) >> 2;
    return (word & 0x000000000fffffff) | (word & 0x0fffffff00000000) >> 4;
  }
  // As append_distance() wrote it. Unsigned, for damaged bytes may say anything.
  std::uint64_t away_from(std::uint64_t from) {
    const std::uint64_t value = next();
    return from - ((value >> 1) ^ (0 - (value & 1)));
  }

 private:
  std::uint64_t next_long() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 7 * kMostVarintBytes; shift += 7) {
      const std::uint64_t more = byte();
      value |= (more & 0x7f) << shift;
      if (more < 0x80) {
        is_broken_ = is_broken_ || (shift == 63 && more > 1);  // beyond 64 bits
        return value;
      }
    }
    is_broken_ = true;
    return 0;
  }
  std::uint8_t byte() { return static_cast<std::uint8_t>(*at_++); }

  const char* at_;
  const char* end_;
  bool is_broken_ = false;
};

}  // namespace

std::unexpected<Error> damaged_index() {
  return fail(ErrorCode::corrupt, "the search index is damaged; rebuild it with weft reindex");
}

std::string pack_documents(std::span<const DocumentRow> rows) {
  std::string out;
  DocumentRow before;
  for (const DocumentRow& row : rows) {
    append_distance(out, before.thought, row.thought);
    append_distance(out, row.thought, row.turn);
    append_distance(out, row.turn, row.exchange);
    append_varint(out, static_cast<std::uint64_t>(row.type) << 2 | row.role);
    append_distance(out, before.time, row.time);
    for (const std::uint16_t length : row.lengths) append_varint(out, length);
    before = row;
  }
  return out;
}

Status DocumentPage::unpack(std::string_view bytes) {
  size_ = 0;
  padded_.assign(bytes);
  padded_.append(kMostRowBytes, '\0');
  Varints varints(padded_);
  std::uint64_t thought = 0, time = 0;
  std::size_t count = 0;
  for (; !varints.is_at_end(); ++count) {
    if (count == kPageDocuments) return damaged_index();
    thought = varints.away_from(thought);
    const std::uint64_t turn = varints.away_from(thought);
    const std::uint64_t exchange = varints.away_from(turn);
    const std::uint64_t kind = varints.next();
    time = varints.away_from(time);
    std::uint64_t longest = 0;
    for (Column<std::uint16_t>& column : lengths) {
      const std::uint64_t length = varints.next();
      longest |= length;
      column[count] = static_cast<std::uint16_t>(length);
    }
    static_assert(search::kMaxLength == 0xffff);
    const bool fits = (thought | turn | exchange | kind >> 2) >> 32 == 0 && longest >> 16 == 0;
    if (!fits || !varints.hold()) return damaged_index();
    thoughts[count] = static_cast<std::uint32_t>(thought);
    turns[count] = static_cast<std::uint32_t>(turn);
    exchanges[count] = static_cast<std::uint32_t>(exchange);
    types[count] = static_cast<std::uint32_t>(kind >> 2);
    roles[count] = static_cast<std::uint8_t>(kind & 3);
    times[count] = static_cast<Millis>(time);
  }
  size_ = count;
  return {};
}

DocumentRow DocumentPage::row(std::size_t at) const {
  return {.thought = thoughts[at],
          .turn = turns[at],
          .exchange = exchanges[at],
          .role = roles[at],
          .type = types[at],
          .time = times[at],
          .lengths = {lengths[0][at], lengths[1][at], lengths[2][at]}};
}

Result<std::vector<DocumentRow>> unpack_documents(std::string_view bytes) {
  DocumentPage page;
  WEFT_TRY(page.unpack(bytes));
  std::vector<DocumentRow> rows;
  rows.reserve(page.size());
  for (std::size_t at = 0; at < page.size(); ++at) rows.push_back(page.row(at));
  return rows;
}

}  // namespace weft::store::sql

// Document pages: the values of each document that ranking and filters need, packed
// (docs/formats/store.md).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weft/base/result.hpp"
#include "weft/base/time.hpp"
#include "weft/store/pages/pack.hpp"

namespace weft::store::sql {

inline constexpr std::size_t kPageDocuments = 512;

struct DocumentRow {
  Id thought = 0;         // 0: it was forgotten
  Id turn = 0;            // its first turn; 0 for none
  Id exchange = 0;        // the human turn that this turn answers, or itself
  std::uint8_t role = 3;  // of the turn, as PackedTurn has it; 3 for none
  Id type = 0;            // a word
  Millis time = 0;
  std::array<std::uint16_t, 3> lengths{};  // by Index

  friend bool operator==(const DocumentRow&, const DocumentRow&) = default;
};

// Precondition: no more than kPageDocuments.
std::string pack_documents(std::span<const DocumentRow> rows);
// corrupt
Result<std::vector<DocumentRow>> unpack_documents(std::string_view bytes);

// A page by columns, as they are kept in memory. Ids are far below 2³², because each takes forty
// bytes of disk. Reuse one for page after page: all pages of a store are read before its first
// search.
class DocumentPage {
 public:
  // corrupt: the page is then empty.
  Status unpack(std::string_view bytes);

  std::size_t size() const { return size_; }
  DocumentRow row(std::size_t at) const;

  template <class T>
  using Column = std::array<T, kPageDocuments>;
  Column<std::uint32_t> thoughts, turns, exchanges, types;
  Column<std::uint8_t> roles;
  Column<Millis> times;
  std::array<Column<std::uint16_t>, 3> lengths;

 private:
  std::size_t size_ = 0;
  std::string padded_;
};

// The error of a damaged index.
std::unexpected<Error> damaged_index();

}  // namespace weft::store::sql

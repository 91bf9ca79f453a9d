// The rows of `edits` and `edit_pages`: what the calls of a conversation changed in files, in the
// order in which it was stated. Of several statements about one call the last counts.
//
// A commit rewrites the row of its conversation. One that has become long becomes a page, which
// stays as it is.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "weft/crypto/keyring.hpp"
#include "weft/store/pages/pack.hpp"
#include "weft/store/sql/database.hpp"
#include "weft/store/tables/edit_list.hpp"

namespace weft::store::sql {

struct StoredCalls {
  std::vector<CallStatement> calls{};  // those that count, by request
  bool is_closed = false;              // some are sealed, and the keyring does not open them
};

// Of one conversation, in the caller's transaction.
class EditRows {
 public:
  // Both outlive it. The keyring may be null.
  EditRows(const Database& database, const crypto::Keyring* keyring, Id conversation)
      : database_(database), keyring_(keyring), conversation_(conversation) {}

  // Empty if the conversation has no row. With a file name, the calls that edit such a file, and
  // only these edits. corrupt if a row was changed.
  Result<std::optional<StoredCalls>> find(std::string_view file_name) const;
  // Adds statements to the row, or makes one. denied if it is sealed with another key.
  Status append(std::vector<CallStatement> calls) const;
  Status remove() const;

 private:
  struct Row {
    std::int64_t pages = 0;
    StoredCalls stored{};  // of the row alone; all statements
  };
  Result<std::optional<Row>> find_row(std::string_view file_name) const;
  Status read_pages(std::string_view file_name, StoredCalls& out) const;

  const Database& database_;
  const crypto::Keyring* keyring_;
  Id conversation_;
};

}  // namespace weft::store::sql

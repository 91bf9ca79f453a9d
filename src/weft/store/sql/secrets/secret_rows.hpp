// The rows of `secrets` and `secret_pages`: where secrets stand in the thoughts of a conversation.
//
// A commit that finds some rewrites the row of its conversation. One that has become long becomes a
// page, which stays as it is.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "weft/crypto/keyring.hpp"
#include "weft/store/pages/pack.hpp"
#include "weft/store/sql/database.hpp"
#include "weft/store/tables/secret_list.hpp"

namespace weft::store::sql {

struct StoredSecrets {
  std::vector<SecretRow> rows{};
  std::int64_t unopened = 0;  // thoughts with a layer that the writer of the row did not open
  // Which layers some thought has, with or without secrets in them: the row has a column for each,
  // so that nobody sees without the key whether there are any.
  std::array<bool, kPortions> has_layer{};
  std::array<bool, kPortions> is_closed{};  // of these, those that the keyring does not open
};

// Of one conversation, in the caller's transaction.
class SecretRows {
 public:
  // Both outlive it. The keyring may be null.
  SecretRows(const Database& database, const crypto::Keyring* keyring, Id conversation)
      : database_(database), keyring_(keyring), conversation_(conversation) {}

  // Empty if the conversation has no row. corrupt if a row was changed.
  Result<std::optional<StoredSecrets>> find() const;
  // Adds to the row, or makes one. denied if it is sealed with another key.
  Status append(StoredSecrets added) const;
  Status remove() const;

 private:
  struct Row {
    std::int64_t pages = 0;
    StoredSecrets stored{};  // of the row alone
  };
  Result<std::optional<Row>> find_row() const;
  // Whether append() would change nothing.
  Result<bool> says_all(const StoredSecrets& added) const;

  const Database& database_;
  const crypto::Keyring* keyring_;
  Id conversation_;
};

}  // namespace weft::store::sql

// RowSeal: the three columns of a row that says something of sealed layers: `clear`, `metadata` and
// `content`, each with what its layer states, sealed as the layer is.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "weft/crypto/keyring.hpp"
#include "weft/store/pages/pack.hpp"
#include "weft/store/tables/block_tally.hpp"

namespace weft::store::sql {

class RowSeal {
 public:
  // Of the row of a table that belongs to a conversation; `part` tells its rows apart. The keyring
  // may be null.
  // Borrows the name of the table.
  RowSeal(const crypto::Keyring* keyring, std::string_view table, Id conversation, Id part = 0)
      : keyring_(keyring), table_(table), conversation_(conversation), part_(part) {}

  // The bytes of a column; empty where there is nothing to say. denied without the layer's key.
  Result<std::string> seal(Portion portion, std::string_view plain) const;
  // What seal() was given. Empty if the keyring does not open the layer. corrupt if the column was
  // changed, or belongs to another row.
  Result<std::optional<std::string>> open(Portion portion, std::string_view column) const;

 private:
  const crypto::LayerKey* key_of(Portion portion) const;
  std::string associated_data() const;

  const crypto::Keyring* keyring_;
  std::string_view table_;
  Id conversation_, part_;
};

}  // namespace weft::store::sql

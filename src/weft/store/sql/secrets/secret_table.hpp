// The late table `secrets`: where tokens, keys and passwords stand in the thoughts of each
// conversation, so that nobody reads the thoughts to list them. Of the sure tier only.
#pragma once

#include "weft/store/sql/late/late_table.hpp"
#include "weft/store/sql/secrets/secret_rows.hpp"

namespace weft::store::sql {

const LateTable& secret_table();

// Reads the thoughts that a conversation holds, superseded ones and facts included: what its rows
// must be.
Result<StoredSecrets> read_secrets(LateContext& with, Id conversation);

}  // namespace weft::store::sql

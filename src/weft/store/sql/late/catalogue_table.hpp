// The late table `catalogue`: what lists show of each conversation, so that nobody reads its facts.
#pragma once

#include <optional>
#include <string>

#include "weft/store/sql/late/late_table.hpp"
#include "weft/store/tables/listed_facts.hpp"

namespace weft::store::sql {

const LateTable& catalogue_table();

// What names a row.
struct CatalogueNames {
  Cid cid{};
  Id creator = 0;              // 0 if the conversation's own thought is not stored
  std::optional<Id> parent{};  // the conversation whose call spawned it
};

struct CatalogueRow {
  CatalogueNames names{};
  ListedFacts facts{};            // as far as the keyring opens them
  bool has_sealed_facts = false;  // it does not open all
};

// Computes it from the thoughts.
Result<CatalogueRow> describe_conversation(LateContext& with, Id conversation);
// Reads it from the columns of a row: parent, clear, metadata, content, from `column` on.
Result<CatalogueRow> read_catalogue_row(const crypto::Keyring* keyring, Id conversation,
                                        const Rows& row, int column);
// Without opening anything.
Result<CatalogueNames> read_catalogue_names(const Rows& row, int column);
// Its totals of tokens alone, if it states any.
Result<std::optional<transcript::Usage>> read_catalogue_usage(const crypto::Keyring* keyring,
                                                              Id conversation, const Rows& row,
                                                              int column);

}  // namespace weft::store::sql

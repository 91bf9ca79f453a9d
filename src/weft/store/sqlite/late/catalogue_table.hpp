// The late table `catalogue`: what lists show of each conversation, so that nobody reads its facts.
#pragma once

#include <optional>
#include <string>

#include "weft/store/sqlite/late/late_table.hpp"
#include "weft/thought/facts.hpp"

namespace weft::store::sql {

const LateTable& catalogue_table();

struct CatalogueRow {
  thought::KnownFacts known{};          // without tools, and without the account
  bool is_internal = false;             // its facts say that a program spoke to itself
  std::optional<std::string> prompt{};  // its first words, where the facts have no title
  std::optional<Id> parent{};           // the conversation whose call spawned it
  bool has_sealed_facts = false;        // the keyring does not open them
};

// Computes it from the thoughts.
Result<CatalogueRow> describe_conversation(LateContext& with, Id conversation);
// Reads it from the columns of a row: parent, clear, metadata, content, from `column` on.
Result<CatalogueRow> read_catalogue_row(const crypto::Keyring* keyring, Id conversation,
                                        const sqlite::Rows& row, int column);
// Whether such a row states totals of tokens.
Result<bool> states_usage(const crypto::Keyring* keyring, Id conversation, const sqlite::Rows& row,
                          int column);
// These totals alone.
Result<std::optional<transcript::Usage>> read_catalogue_usage(const crypto::Keyring* keyring,
                                                              Id conversation,
                                                              const sqlite::Rows& row, int column);

}  // namespace weft::store::sql

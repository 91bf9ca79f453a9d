#include "weft/store/sql/read/newest.hpp"

#include "weft/base/try.hpp"

namespace weft::store::sql {
namespace {

Result<std::optional<Id>> first_id(Rows rows) {
  std::optional<Id> id;
  if (rows.next()) id = rows.integer(0);
  WEFT_TRY(rows.status());
  return id;
}

}  // namespace

Result<Newest> newest_of(const Database& database, Id conversation) {
  Rows row = database.query(
      "SELECT talk.created_by, checkpoint, signer.created_by, facts, teller.created_by "
      "FROM conversations LEFT JOIN thoughts talk ON talk.id = conversations.id "
      "LEFT JOIN thoughts signer ON signer.id = checkpoint "
      "LEFT JOIN thoughts teller ON teller.id = facts WHERE conversations.id = ?",
      conversation);
  if (!row.next()) {
    WEFT_TRY(row.status());
    return Newest();
  }
  Newest newest{.creator = row.find_integer(0),
                .checkpoint = row.find_integer(1),
                .facts = row.find_integer(3)};
  // Of one that is not stored nobody knows the creator: `weft verify` reports it.
  const auto is_strangers = [&](int column) {
    const std::optional<Id> creator = row.find_integer(column);
    return newest.creator && creator && *creator != *newest.creator;
  };
  const bool has_strangers_checkpoint = is_strangers(2), has_strangers_facts = is_strangers(4);
  if (has_strangers_checkpoint) {
    WEFT_TRY_VALUE(auto own, first_id(database.query(
                                 "SELECT checkpoints.id FROM checkpoints JOIN thoughts "
                                 "ON thoughts.id = checkpoints.id WHERE conversation = ? AND "
                                 "created_by = ? ORDER BY seq DESC LIMIT 1",
                                 conversation, *newest.creator)));
    newest.checkpoint = own;
  }
  if (has_strangers_facts) {
    WEFT_TRY_VALUE(auto own, first_id(database.query(
                                 "SELECT thoughts.id FROM effects JOIN thoughts "
                                 "ON thoughts.id = thought WHERE cause = ? AND created_by = ? AND "
                                 "type IN (SELECT id FROM words WHERE text LIKE "
                                 "'%conversation_facts') ORDER BY thoughts.id DESC LIMIT 1",
                                 conversation, *newest.creator)));
    newest.facts = own;
  }
  return newest;
}

}  // namespace weft::store::sql

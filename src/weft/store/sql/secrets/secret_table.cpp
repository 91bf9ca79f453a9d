#include "weft/store/sql/secrets/secret_table.hpp"

#include <algorithm>
#include <unordered_map>

#include "weft/base/try.hpp"
#include "weft/store/sql/late/stored_thought.hpp"

namespace weft::store::sql {
namespace {

constexpr std::string_view kSecrets = "secrets";

// Collects what thoughts hold.
class SecretReader {
 public:
  explicit SecretReader(LateContext& with) : with_(with), fingerprints_(with.keyring) {}

  // One that is stored, if it may have some.
  Status read(Id id) {
    WEFT_TRY_VALUE(const auto found, find_stored(with_, id));
    if (!found) return {};
    if (!may_have_secrets(found->thought.type)) return {};
    add(id, secrets_of(found->thought, open_layers(found->thought, with_.keyring), fingerprints_));
    return {};
  }
  void add(Id id, const ThoughtSecrets& secrets) {
    found_.unopened += secrets.is_whole ? 0 : 1;
    note_layer(Portion::metadata, secrets.has_metadata);
    note_layer(Portion::content, secrets.has_content);
    for (const SecretPlace& place : secrets.places) {
      found_.rows.push_back({.thought = id, .place = place});
    }
  }
  // Precondition: what was read is not used after it.
  StoredSecrets take() { return std::move(found_); }
  // denied if fingerprints were made without the key.
  Status check_key() const {
    if (found_.rows.empty() || Fingerprints::has_key(with_.keyring)) return {};
    return fail(ErrorCode::denied, "the keyring has no key for fingerprints of secrets");
  }

 private:
  void note_layer(Portion portion, bool is_there) {
    bool& has = found_.has_layer[static_cast<std::size_t>(portion)];
    has = has || is_there;
  }

  LateContext& with_;
  const Fingerprints fingerprints_;
  StoredSecrets found_{};
};

// The thoughts that a conversation holds and that may have secrets, by id.
Result<std::vector<Id>> held_thoughts(LateContext& with, Id conversation) {
  std::vector<Id> ids;
  std::unordered_map<Id, bool> wanted;  // by type
  Rows rows = with.database.query(
      "SELECT thoughts.id, type FROM runs CROSS JOIN thoughts WHERE runs.conversation = ?1 "
      "AND thoughts.id BETWEEN first AND last "
      "UNION ALL SELECT thoughts.id, type FROM shares JOIN thoughts ON thoughts.id = thought "
      "WHERE shares.conversation = ?1",
      conversation);
  while (rows.next()) {
    const auto [known, is_new] = wanted.try_emplace(rows.integer(1));
    if (is_new) {
      const Result<std::string_view> type = with.words.text(known->first);
      known->second = type && may_have_secrets(*type);
    }
    if (known->second) ids.push_back(rows.integer(0));
  }
  WEFT_TRY(rows.status());
  std::ranges::sort(ids);
  return ids;
}

Status remove_secrets(LateContext& with, Id conversation) {
  return SecretRows(with.database, with.keyring, conversation).remove();
}

Status fill_secrets(LateContext& with, Id conversation) {
  WEFT_TRY_VALUE(StoredSecrets found, read_secrets(with, conversation));
  WEFT_TRY(remove_secrets(with, conversation));
  return SecretRows(with.database, with.keyring, conversation).append(std::move(found));
}

Status add_secrets(LateContext& with, const LateAddition& addition) {
  SecretReader reader(with);
  for (const LateAddition::NewThought& added : addition.thoughts) {
    if (!may_have_secrets(added.thought->type)) continue;
    if (added.secrets == nullptr) WEFT_TRY(reader.read(added.id));
    else reader.add(added.id, *added.secrets);
  }
  for (const Id id : addition.shared) WEFT_TRY(reader.read(id));
  WEFT_TRY(reader.check_key());
  return SecretRows(with.database, with.keyring, addition.conversation).append(reader.take());
}

Status check_secrets(LateContext& with, Id conversation, FindingList& out) {
  const Result<std::optional<StoredSecrets>> stored =
      SecretRows(with.database, with.keyring, conversation).find();
  if (!stored && stored.error().code != ErrorCode::corrupt) return fail(Error(stored.error()));
  bool is_same = stored && *stored;
  if (is_same) {
    // Another keyring opens what that of the row's writer did not, and makes other fingerprints.
    if ((*stored)->unopened > 0 || !Fingerprints::has_key(with.keyring)) return {};
    WEFT_TRY_VALUE(StoredSecrets computed, read_secrets(with, conversation));
    std::vector<SecretRow> rows = (*stored)->rows;
    std::erase_if(computed.rows, [&](const SecretRow& row) {
      return (*stored)->is_closed[static_cast<std::size_t>(row.place.portion)];
    });
    std::ranges::sort(rows);
    std::ranges::sort(computed.rows);
    is_same = rows == computed.rows && (*stored)->has_layer == computed.has_layer;
  }
  if (!is_same) {
    out.add(kSecrets, "the secrets of this conversation are not those of its thoughts",
            conversation);
  }
  return {};
}

}  // namespace

Result<StoredSecrets> read_secrets(LateContext& with, Id conversation) {
  WEFT_TRY_VALUE(const auto ids, held_thoughts(with, conversation));
  SecretReader reader(with);
  for (const Id id : ids) WEFT_TRY(reader.read(id));
  return reader.take();
}

const LateTable& secret_table() {
  static const LateTable table = {
      .name = kSecrets,
      .version = secrets::kRulesVersion,
      .tables = {"secrets", "secret_pages"},
      .has_row = "SELECT CAST(EXISTS (SELECT 1 FROM secrets WHERE conversation = ?) AS INTEGER)",
      .missing =
          "SELECT id, blocks FROM conversations WHERE NOT EXISTS "
          "(SELECT 1 FROM secrets WHERE conversation = conversations.id) "
          "ORDER BY touched DESC LIMIT 256",
      .count = "SELECT count(*) FROM secrets",
      .clear = "DELETE FROM secrets",
      .fill = fill_secrets,
      .add = add_secrets,
      .remove = remove_secrets,
      .check = check_secrets};
  return table;
}

}  // namespace weft::store::sql

#include "weft/store/sql/edits/edit_names.hpp"

#include <xxhash.h>

#include <charconv>
#include <string>

#include "weft/base/try.hpp"
#include "weft/search/blind.hpp"

namespace weft::store::sql {
namespace {

// 32 bits find a file well enough: what another file of the same hash brings is read and left out.
std::int64_t short_hash(std::string_view text) {
  return static_cast<std::int32_t>(XXH3_64bits(text.data(), text.size()));
}

EditName clear_name(std::string_view file_name) { return {.name = short_hash(file_name)}; }

// No text has this term: "=" is no part of a word.
EditName blind_name(std::string_view file_name, const crypto::LayerKey& key) {
  const search::BlindTerm term = search::blind(key, "file=" + std::string(file_name));
  return {.name = short_hash(search::text_of(term))};
}

// Key ids are 16 hex digits.
std::int64_t number_of(std::string_view key_id) {
  std::uint64_t number = 0;
  std::from_chars(key_id.data(), key_id.data() + key_id.size(), number, 16);
  return static_cast<std::int64_t>(number);
}

}  // namespace

CallKeys::CallKeys(const crypto::Keyring* keyring) {
  if (keyring == nullptr) return;
  content_ = keyring->layer(crypto::Layer::content);
  if (content_ == nullptr) return;
  content_key_ = number_of(content_->id());
  if (const auto* metadata = keyring->layer(crypto::Layer::metadata)) {
    metadata_key_ = number_of(metadata->id());
  }
}

bool CallKeys::opens(std::optional<std::int64_t> key) const {
  return !key || key == content_key_ || key == metadata_key_;
}

std::optional<std::int64_t> key_of(const thought::Layers& layers) {
  if (layers.content) return number_of(layers.content->key_id);
  if (layers.metadata) return number_of(layers.metadata->key_id);
  return std::nullopt;
}

std::int64_t key_of(std::string_view column) {
  std::uint64_t number = 0;
  for (const char byte : column.substr(0, 8))
    number = number << 8 | static_cast<std::uint8_t>(byte);
  return static_cast<std::int64_t>(number);
}

std::vector<EditName> names_of_file(std::string_view file_name, const CallKeys& keys) {
  std::vector<EditName> names = {clear_name(file_name)};
  if (keys.content() != nullptr) names.push_back(blind_name(file_name, *keys.content()));
  return names;
}

Status add_names(const CallStatement& call, const CallKeys& keys, std::set<EditName>& out) {
  if (call.is_sealed && keys.content() == nullptr) {
    return fail(ErrorCode::denied, "the keyring has no key for the names of edited files");
  }
  const auto add = [&](std::string_view path) {
    const std::string_view name = file_name_of(path);
    out.insert(call.is_sealed ? blind_name(name, *keys.content()) : clear_name(name));
  };
  for (const CallEdit& edit : call.edits) {
    add(edit.path);
    if (edit.kind == edits::Edit::Kind::move) add(edit.moved_from);
  }
  return {};
}

Status write_names(const Database& database, Id conversation, const std::set<EditName>& names) {
  for (const EditName& name : names) {
    WEFT_TRY(database.run(
        "INSERT INTO edit_names (conversation, kind, name) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
        conversation, static_cast<std::int64_t>(name.kind), name.name));
  }
  return {};
}

Status remove_names(const Database& database, Id conversation) {
  return database.run("DELETE FROM edit_names WHERE conversation = ?", conversation);
}

Result<std::set<EditName>> read_names(const Database& database, Id conversation) {
  std::set<EditName> names;
  Rows rows =
      database.query("SELECT kind, name FROM edit_names WHERE conversation = ?", conversation);
  while (rows.next()) {
    names.insert({.kind = static_cast<EditName::Kind>(rows.integer(0)), .name = rows.integer(1)});
  }
  WEFT_TRY(rows.status());
  return names;
}

Result<std::vector<Id>> find_conversations(const PlainDatabase& database, const EditName& name) {
  std::vector<Id> found;
  Rows rows = database.query("SELECT conversation FROM edit_names WHERE kind = ? AND name = ?",
                             static_cast<std::int64_t>(name.kind), name.name);
  while (rows.next()) found.push_back(rows.integer(0));
  WEFT_TRY(rows.status());
  return found;
}

}  // namespace weft::store::sql

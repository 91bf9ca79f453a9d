// EditNames: the rows of `edit_names`, which lead from the name of a file to the conversations that
// edit such a file, without reading what each of them edits; and from a key to the conversations
// whose calls it seals.
//
// The name of a file is stored as a hash of its last component. Where the call is sealed, the hash
// is keyed with C, like a blind term of the search index.
#pragma once

#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "weft/crypto/keyring.hpp"
#include "weft/store/pages/pack.hpp"
#include "weft/store/sql/database.hpp"
#include "weft/store/tables/edit_list.hpp"
#include "weft/thought/thought.hpp"

namespace weft::store::sql {

struct EditName {
  enum class Kind : std::int64_t { file = 0, key = 1, unopened = 2 };  // on disk
  Kind kind = Kind::file;
  std::int64_t name = 0;  // 0 for a conversation with calls that the writer did not open

  friend auto operator<=>(const EditName&, const EditName&) = default;
};

// The keys that open sealed calls: C, and M for blocks without a content layer.
class CallKeys {
 public:
  // The keyring may be null; it outlives this.
  explicit CallKeys(const crypto::Keyring* keyring);

  // Whether they open what is sealed with `key`; true for what is not sealed.
  bool opens(std::optional<std::int64_t> key) const;
  // Null without C.
  const crypto::LayerKey* content() const { return content_; }

 private:
  const crypto::LayerKey* content_ = nullptr;
  std::optional<std::int64_t> content_key_{}, metadata_key_{};
};

// The key that seals a block: that of its content layer, else of its metadata layer.
std::optional<std::int64_t> key_of(const thought::Layers& layers);
// The same of the first 8 bytes of a sealed column.
std::int64_t key_of(std::string_view column);

// The rows that lead to a file. Without C only the one in clear.
std::vector<EditName> names_of_file(std::string_view file_name, const CallKeys& keys);
// The rows of a call. denied if it is sealed and C is missing.
Status add_names(const CallStatement& call, const CallKeys& keys, std::set<EditName>& out);

// --- rows ----------------------------------------------------------------------------------------
// Adds those that are not there.
Status write_names(const Database& database, Id conversation, const std::set<EditName>& names);
Status remove_names(const Database& database, Id conversation);
Result<std::set<EditName>> read_names(const Database& database, Id conversation);
// The conversations that have a name.
Result<std::vector<Id>> find_conversations(const PlainDatabase& database, const EditName& name);

}  // namespace weft::store::sql

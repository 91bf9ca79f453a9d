#include "weft/store/sql/names/names.hpp"

#include <cstring>

#include "weft/base/try.hpp"
#include "weft/thought/connection.hpp"

namespace weft::store::sql {

Result<Cid> to_cid(std::string_view bytes) {
  Digest digest;
  if (bytes.size() != digest.size()) return fail(ErrorCode::corrupt, "a stored name is damaged");
  std::memcpy(digest.data(), bytes.data(), digest.size());
  return Cid(digest);
}

namespace {

// Empty if there is no such connection. Its ends have names of their own: so it was written.
Result<std::optional<Cid>> find_cid_of_connection(const Database& database, const Words& words,
                                                  Id id) {
  Rows row = database.query(
      "SELECT relation, source.cid, target.cid, label, position, creator.cid, created_at "
      "FROM connections LEFT JOIN names source ON source.id = from_id "
      "LEFT JOIN names target ON target.id = to_id "
      "LEFT JOIN names creator ON creator.id = created_by WHERE connections.id = ?",
      id);
  if (!row.next()) {
    WEFT_TRY(row.status());
    return std::nullopt;
  }
  thought::Connection connection{.created_at = row.integer(6)};
  for (const auto& [column, cid] :
       {std::pair(1, &connection.from), {2, &connection.to}, {5, &connection.created_by}}) {
    WEFT_TRY_VALUE(auto name, to_cid(row.bytes(column)));
    *cid = name;
  }
  WEFT_TRY_VALUE(auto relation, words.text(row.integer(0)));
  connection.relation = relation;
  if (const auto label = row.find_integer(3)) {
    WEFT_TRY_VALUE(auto text, words.text(*label));
    connection.label = text;
  }
  if (const auto index = row.find_integer(4)) connection.index = static_cast<std::uint64_t>(*index);
  return cid_of(connection);
}

// False, too, for what has no row in `names`.
Result<bool> is_named(const Database& database, Id id, const Cid& cid) {
  Rows name = database.query("SELECT cid FROM names WHERE id = ?", id);
  const bool is_it = name.next() && name.bytes(0) == blob(cid.digest()).bytes;
  WEFT_TRY(name.status());
  return is_it;
}

}  // namespace

// Two may share a hash, and of a connection that is gone only the hash is left.
Result<std::optional<Found>> find_name_among(const Database& database, const Words& words,
                                             const Cid& cid, std::span<const Name> candidates) {
  for (const auto& [hash, id] : candidates) {
    Rows name = database.query("SELECT cid FROM names WHERE id = ?", id);
    if (name.next()) {
      if (name.bytes(0) == blob(cid.digest()).bytes) return Found{id};
      continue;
    }
    WEFT_TRY(name.status());
    WEFT_TRY_VALUE(auto derived, find_cid_of_connection(database, words, id));
    if (derived == cid) return Found{id, true};
  }
  return std::nullopt;
}

Result<std::optional<Found>> find_name(const Database& database, const Words& words,
                                       const Cid& cid) {
  const Hash hash = hash_of(cid);
  WEFT_TRY_VALUE(const auto ids, database.name_index().find(hash));
  std::vector<Name> candidates;
  for (const Id id : ids) candidates.push_back({hash, id});
  return find_name_among(database, words, cid, candidates);
}

Result<std::optional<Id>> find_id(const Database& database, const Words& words, const Cid& cid) {
  WEFT_TRY_VALUE(auto found, find_name(database, words, cid));
  if (!found) return std::nullopt;
  return found->id;
}

Result<Cid> get_cid(const Database& database, const Words& words, Id id) {
  Rows rows = database.query("SELECT cid FROM names WHERE id = ?", id);
  if (rows.next()) return to_cid(rows.bytes(0));
  WEFT_TRY(rows.status());
  WEFT_TRY_VALUE(auto derived, find_cid_of_connection(database, words, id));
  if (derived) return *derived;
  return fail(ErrorCode::corrupt, "a stored row refers to a name that does not exist");
}

void Names::keep(Id id, const Cid& cid) const {
  slot(id) = {id, cid};
  hint(cid) = id;
}

Result<Cid> Names::cid(Id id) const {
  const Cached& cached = slot(id);
  if (cached.id == id && id != 0) return cached.cid;
  Result<Cid> cid = get_cid(*database_, *words_, id);
  if (cid) keep(id, *cid);
  return cid;
}

Result<std::optional<Id>> Names::find_id(const Cid& cid) const {
  if (const Id id = hint(cid); id != 0) {
    WEFT_TRY_VALUE(auto is_it, is_named(*database_, id, cid));
    if (is_it) return id;
  }
  Result<std::optional<Id>> id = sql::find_id(*database_, *words_, cid);
  if (id && *id) hint(cid) = **id;
  return id;
}

Result<std::optional<Id>> Words::find_id(std::string_view text) const {
  Rows rows = database_->query("SELECT id FROM words WHERE text = ?", text);
  std::optional<Id> id;
  if (rows.next()) id = rows.integer(0);
  WEFT_TRY(rows.status());
  return id;
}

Result<Id> Words::id(std::string_view text) {
  if (const auto known = ids_.find(text); known != ids_.end()) return known->second;
  WEFT_TRY_VALUE(auto there, find_id(text));
  if (!there) {
    Rows rows = database_->query("INSERT INTO words (text) VALUES (?) RETURNING id", text);
    if (rows.next()) there = rows.integer(0);
    while (rows.next()) {
    }
    WEFT_TRY(rows.status());
  }
  if (ids_.size() >= kCached) ids_.clear();
  return ids_.emplace(std::string(text), there.value()).first->second;
}

Status Words::read_common() {
  Rows rows = database_->query("SELECT id, text FROM words ORDER BY id LIMIT ?", kCommon);
  while (rows.next()) ids_.emplace(std::string(rows.bytes(1)), rows.integer(0));
  return rows.status();
}

Result<std::string_view> Words::text(Id id) const {
  if (const auto known = texts_.find(id); known != texts_.end()) return known->second;
  Rows rows = database_->query("SELECT text FROM words WHERE id = ?", id);
  if (!rows.next()) {
    WEFT_TRY(rows.status());
    return fail(ErrorCode::corrupt, "a stored row refers to a word that does not exist");
  }
  if (texts_.size() >= kCached) texts_.clear();
  return texts_.emplace(id, std::string(rows.bytes(0))).first->second;
}

}  // namespace weft::store::sql

#include "weft/store/sqlite/names.hpp"

#include <cstring>

namespace weft::store::sqlite {

std::int64_t hash_of(const Cid& cid) {
  std::uint64_t hash = 0;
  for (std::size_t i = 0; i < 8; ++i) hash = hash << 8 | cid.digest()[i];
  return static_cast<std::int64_t>(hash ^ (std::uint64_t{1} << 63));
}

Result<Cid> to_cid(std::string_view bytes) {
  Digest digest;
  if (bytes.size() != digest.size()) return fail(ErrorCode::corrupt, "a stored name is damaged");
  std::memcpy(digest.data(), bytes.data(), digest.size());
  return Cid(digest);
}

Result<std::optional<Id>> find_id(const Database& database, const Cid& cid) {
  Rows rows = database.query(
      "SELECT names.id FROM name_recent CROSS JOIN names USING (id) WHERE hash = ?1 AND cid = ?2 "
      "UNION ALL "
      "SELECT names.id FROM name_index CROSS JOIN names USING (id) WHERE hash = ?1 AND cid = ?2",
      hash_of(cid), blob(cid.digest()));
  std::optional<Id> id;
  if (rows.next()) id = rows.integer(0);
  if (Status status = rows.status(); !status) return fail(std::move(status).error());
  return id;
}

Result<Cid> get_cid(const Database& database, Id id) {
  Rows rows = database.query("SELECT cid FROM names WHERE id = ?", id);
  if (rows.next()) return to_cid(rows.bytes(0));
  if (Status status = rows.status(); !status) return fail(std::move(status).error());
  return fail(ErrorCode::corrupt, "a stored row speaks of a name that is not there");
}

Result<Cid> Names::cid(Id id) const {
  Cached& cached = slot(id);
  if (cached.id == id && id != 0) return cached.cid;
  Result<Cid> cid = get_cid(*database_, id);
  if (cid) cached = {id, *cid};
  return cid;
}

Result<std::optional<Id>> Words::find_id(std::string_view text) const {
  Rows rows = database_->query("SELECT id FROM words WHERE text = ?", text);
  std::optional<Id> id;
  if (rows.next()) id = rows.integer(0);
  if (Status status = rows.status(); !status) return fail(std::move(status).error());
  return id;
}

Result<Id> Words::id(std::string_view text) {
  if (const auto known = ids_.find(text); known != ids_.end()) return known->second;
  Result<std::optional<Id>> there = find_id(text);
  if (!there) return fail(std::move(there).error());
  if (!*there) {
    Rows rows = database_->query("INSERT INTO words (text) VALUES (?) RETURNING id", text);
    if (rows.next()) *there = rows.integer(0);
    while (rows.next()) {
    }
    if (Status status = rows.status(); !status) return fail(std::move(status).error());
  }
  if (ids_.size() >= kCached) ids_.clear();
  return ids_.emplace(std::string(text), there->value()).first->second;
}

Result<std::string_view> Words::text(Id id) const {
  if (const auto known = texts_.find(id); known != texts_.end()) return known->second;
  Rows rows = database_->query("SELECT text FROM words WHERE id = ?", id);
  if (!rows.next()) {
    if (Status status = rows.status(); !status) return fail(std::move(status).error());
    return fail(ErrorCode::corrupt, "a stored row speaks of a word that is not there");
  }
  if (texts_.size() >= kCached) texts_.clear();
  return texts_.emplace(id, std::string(rows.bytes(0))).first->second;
}

}  // namespace weft::store::sqlite

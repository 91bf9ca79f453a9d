#include "weft/store/sql/read/reader.hpp"

#include <algorithm>

#include "weft/base/hex.hpp"
#include "weft/base/try.hpp"

namespace weft::store::sql {
Reader::Reader(Database database)
    : database_(std::move(database)),
      edges_(database_.edges()),
      words_(database_),
      names_(database_, words_),
      signatures_(database_) {}

Result<bool> Reader::has(const Cid& cid) {
  WEFT_TRY_VALUE(auto id, names_.find_id(cid));
  return id ? is_stored(*id) : false;
}

Result<bool> Reader::is_stored(Id id) {
  Rows rows = database_.query(
      "SELECT CAST(EXISTS (SELECT 1 FROM thoughts WHERE id = ?1) OR "
      "EXISTS (SELECT 1 FROM connections WHERE id = ?1) AS INTEGER)",
      id);
  const bool there = rows.next() && rows.integer(0) != 0;
  WEFT_TRY(rows.status());
  return there;
}

Result<thought::Thought> Reader::read(const Cid& cid, WithPaths paths) {
  WEFT_TRY_VALUE(auto id, names_.find_id(cid));
  if (!id) return not_here(cid);
  Result<std::optional<thought::Thought>> found = find(*id, cid, paths);
  if (!found) return fail(std::move(found).error().within("reading " + cid.str()));
  if (!*found) return not_here(cid);
  return **std::move(found);
}

Result<std::optional<thought::Thought>> Reader::find(Id id, const Cid& cid, WithPaths paths) {
  Result<std::optional<thought::Thought>> found = find_thought(id, cid, paths);
  if (!found || *found) return found;
  WEFT_TRY_VALUE(auto connection, find_connection(id, paths));
  if (!connection) return std::nullopt;
  thought::Thought thought = thought::to_thought(*connection);
  thought.cid = cid;  // as stored: the caller checks whether it is right
  return thought;
}

Result<std::optional<thought::Thought>> Reader::find_thought(Id id, const Cid& cid,
                                                             WithPaths paths) {
  Rows rows = database_.query("SELECT * FROM thoughts WHERE id = ?", id);
  if (rows.next()) {
    WEFT_TRY_VALUE(auto thought, to_thought(ThoughtColumns::of(rows), cid, paths));
    return thought;
  }
  WEFT_TRY(rows.status());
  return std::nullopt;
}

Result<std::optional<thought::Connection>> Reader::find_connection(Id id, WithPaths paths) {
  Rows rows = database_.query("SELECT * FROM connections WHERE id = ?", id);
  if (rows.next()) {
    WEFT_TRY_VALUE(auto connection, to_connection(to_edge(rows), paths));
    return connection;
  }
  WEFT_TRY(rows.status());
  return std::nullopt;
}

Result<std::vector<Cid>> Reader::find_by_prefix(std::string_view hex, std::size_t limit) {
  // The least and the greatest CID with this prefix.
  std::string low(hex), high(hex);
  low.resize(2 * sizeof(Digest), '0');
  high.resize(2 * sizeof(Digest), 'f');
  Digest first, last;
  if (hex.size() > low.size() || !parse_hex(low, first) || !parse_hex(high, last)) {
    return fail(ErrorCode::invalid_input, "a CID's prefix is up to 64 lower-case hex digits");
  }
  std::vector<Cid> found;
  Status failure;
  Hash hash = 0;  // of the last one; those that share it come in any order
  Status status = database_.name_index().each_from(hash_of(Cid(first)), [&](const Name& name) {
    const bool is_beyond = name.hash > hash_of(Cid(last));
    if (is_beyond || (found.size() >= limit && name.hash != hash)) return false;
    const Result<bool> stored = is_stored(name.id);
    const Result<Cid> cid = stored && *stored ? names_.cid(name.id) : Result<Cid>(Cid());
    if (!stored || !cid) {
      failure = fail(Error(stored ? cid.error() : stored.error()));
      return false;
    }
    hash = name.hash;
    if (*stored && *cid >= Cid(first) && *cid <= Cid(last)) found.push_back(*cid);
    return true;
  });
  if (status) status = std::move(failure);
  if (!status) return fail(std::move(status).error());
  std::ranges::sort(found);
  found.resize(std::min(found.size(), limit));
  return found;
}

Result<std::optional<Cid>> Reader::find_place(const Cid& conversation, const weave::PlaceKey& key) {
  WEFT_TRY_VALUE(auto id, names_.find_id(conversation));
  if (!id) return std::nullopt;
  Rows rows = database_.query("SELECT thought FROM places WHERE conversation = ? AND key = ?", *id,
                              Blob{{reinterpret_cast<const char*>(key.data()), key.size()}});
  if (!rows.next()) {
    WEFT_TRY(rows.status());
    return std::nullopt;
  }
  WEFT_TRY_VALUE(auto cid, names_.cid(rows.integer(0)));
  return cid;
}

Result<std::vector<Cid>> Reader::to_cids(Rows rows) {
  std::vector<Cid> cids;
  while (rows.next()) {
    WEFT_TRY_VALUE(auto cid, names_.cid(rows.integer(0)));
    cids.push_back(cid);
  }
  WEFT_TRY(rows.status());
  return cids;
}

}  // namespace weft::store::sql

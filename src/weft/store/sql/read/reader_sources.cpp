// Files that were taken in, and how conversations of different files find each other.
#include <algorithm>
#include <array>
#include <span>

#include "weft/base/try.hpp"
#include "weft/store/sql/read/reader.hpp"

namespace weft::store::sql {
namespace {

Blob blob_of(std::span<const std::uint8_t> key) {
  return {{reinterpret_cast<const char*>(key.data()), key.size()}};
}

std::uint64_t natural(const Rows& row, int column) {
  return static_cast<std::uint64_t>(row.integer(column));
}

// Far more than the words in a piece of the archive: a damaged count must not fill memory.
constexpr std::uint64_t kMostLeanedOn = 1u << 20;

// A whole row: migrations only append columns.
Result<Source> to_source(const Rows& row) {
  Source source;
  const std::string_view key = row.bytes(1);
  if (key.size() != source.key.size()) return fail(ErrorCode::corrupt, "a source without its key");
  std::ranges::copy(key, source.key.begin());
  source.revision = natural(row, 2);
  source.format = row.bytes(3);
  source.about = row.bytes(4);
  source.device = natural(row, 5);
  source.inode = natural(row, 6);
  source.modified_ns = row.integer(7);
  source.size = natural(row, 8);
  source.offset = natural(row, 9);
  source.lines = natural(row, 10);
  source.archived = natural(row, 11);
  source.fingerprint = row.bytes(12);
  source.generation = natural(row, 13);
  source.adapter_version = row.integer(14);
  source.weave_version = row.integer(15);
  source.ingested_at = row.integer(16);
  source.state = row.bytes(17);
  return source;
}

Result<std::vector<Source>> to_sources(Rows rows) {
  std::vector<Source> found;
  while (rows.next()) {
    WEFT_TRY_VALUE(auto source, to_source(rows));
    found.push_back(std::move(source));
  }
  WEFT_TRY(rows.status());
  return found;
}

}  // namespace

Result<std::optional<Source>> Reader::find_source(const SourceKey& key) {
  WEFT_TRY_VALUE(auto found,
                 to_sources(database_.query("SELECT * FROM sources WHERE key = ?", blob_of(key))));
  if (found.empty()) return std::nullopt;
  return std::move(found.front());
}

Result<std::vector<Source>> Reader::find_file(std::uint64_t device, std::uint64_t inode) {
  return to_sources(
      database_.query("SELECT * FROM sources WHERE inode = ? AND device = ? ORDER BY id",
                      static_cast<std::int64_t>(inode), static_cast<std::int64_t>(device)));
}

Result<std::vector<Source>> Reader::sources() {
  return to_sources(database_.query("SELECT * FROM sources ORDER BY id"));
}

Result<std::vector<Cid>> Reader::conversations_in(const SourceKey& key) {
  return to_cids(
      database_.query("SELECT conversation FROM source_conversations JOIN sources "
                      "ON sources.id = source WHERE key = ? ORDER BY conversation",
                      blob_of(key)));
}

Result<std::vector<Source>> Reader::sources_of(const Cid& conversation) {
  WEFT_TRY_VALUE(auto id, names_.find_id(conversation));
  if (!id) return std::vector<Source>();
  return to_sources(database_.query(
      "SELECT sources.* FROM sources JOIN source_conversations ON source = sources.id "
      "WHERE conversation = ? ORDER BY sources.id",
      *id));
}

Result<Segment> Reader::to_segment(const Rows& row) const {
  Segment segment{
      .seq = natural(row, 0), .size = natural(row, 1), .sealed = std::string(row.bytes(2))};
  const Result<std::vector<Range>> leans = unpack_leaves(row.bytes(3));
  std::uint64_t many = 0;
  for (const Range& range : leans.value_or(std::vector<Range>())) {
    many += std::min(range.count, kMostLeanedOn);
  }
  if (!leans || many >= kMostLeanedOn) {
    return fail(ErrorCode::corrupt, "the dictionary of an archived segment is damaged");
  }
  segment.dictionary.reserve(many);
  for (const Range& range : *leans) {
    for (std::uint64_t i = 0; i < range.count; ++i) {
      WEFT_TRY_VALUE(auto cid, names_.cid(range.first + static_cast<Id>(i)));
      segment.dictionary.push_back(cid);
    }
  }
  return segment;
}

Status Reader::each_segment(const SourceKey& key, std::uint64_t generation,
                            const std::function<bool(Segment)>& visit) {
  Rows rows = database_.query(
      "SELECT archive.seq, archive.size, sealed, leans_on FROM archive "
      "JOIN sources ON sources.id = source "
      "WHERE key = ? AND archive.generation = ? ORDER BY archive.seq",
      blob_of(key), static_cast<std::int64_t>(generation));
  while (rows.next()) {
    WEFT_TRY_VALUE(auto segment, to_segment(rows));
    if (!visit(std::move(segment))) break;
  }
  return rows.status();
}

Result<std::optional<Segment>> Reader::last_segment(const SourceKey& key,
                                                    std::uint64_t generation) {
  Rows rows = database_.query(
      "SELECT archive.seq, archive.size, sealed, leans_on FROM archive "
      "JOIN sources ON sources.id = source "
      "WHERE key = ? AND archive.generation = ? ORDER BY archive.seq DESC LIMIT 1",
      blob_of(key), static_cast<std::int64_t>(generation));
  std::optional<Segment> found;
  if (rows.next()) {
    WEFT_TRY_VALUE(auto segment, to_segment(rows));
    found = std::move(segment);
  }
  WEFT_TRY(rows.status());
  return found;
}

Result<std::optional<weave::Mark>> Reader::find_mark(const weave::PlaceKey& key) {
  Rows rows = database_.query(
      "SELECT call, created_at FROM marks JOIN thoughts ON thoughts.id = call WHERE key = ?",
      blob_of(key));
  if (!rows.next()) {
    WEFT_TRY(rows.status());
    return std::nullopt;
  }
  const Millis time = rows.integer(1);
  WEFT_TRY_VALUE(auto call, names_.cid(rows.integer(0)));
  return weave::Mark{.key = key, .call = call, .time = time};
}

// Places have no index by key alone: one look-up for each conversation. Summaries are few.
Result<std::optional<weave::TimedThought>> Reader::find_conversation_at(
    std::string_view format, const Cid& creator, const weave::PlaceKey& place) {
  WEFT_TRY_VALUE(auto by, names_.find_id(creator));
  if (!by) return std::nullopt;
  Rows rows = database_.query(
      "SELECT talk.id, talk.created_at FROM conversations talk "
      "CROSS JOIN places CROSS JOIN thoughts WHERE talk.format = ?1 "
      "AND places.conversation = talk.id AND places.key = ?2 "
      "AND thoughts.id = talk.id AND thoughts.created_by = ?3 ORDER BY talk.id LIMIT 1",
      format, blob_of(place), *by);
  if (!rows.next()) {
    WEFT_TRY(rows.status());
    return std::nullopt;
  }
  const Millis time = rows.integer(1);
  WEFT_TRY_VALUE(auto cid, names_.cid(rows.integer(0)));
  return weave::TimedThought{.cid = cid, .time = time};
}

Result<std::vector<weave::Wait>> Reader::waiting_summaries() {
  std::array<std::uint8_t, weave::kLeafTag.size()> behind = weave::kLeafTag;
  ++behind.back();
  Rows rows = database_.query(
      "SELECT key, conversation FROM waits WHERE key >= ? AND key < ? "
      "AND conversation IN (SELECT id FROM conversations)",
      blob_of(weave::kLeafTag), blob_of(behind));
  std::vector<weave::Wait> found;
  while (rows.next()) {
    weave::Wait wait{};
    const std::string_view key = rows.bytes(0);
    std::copy_n(key.begin(), std::min(key.size(), wait.key.size()), wait.key.begin());
    WEFT_TRY_VALUE(wait.conversation, names_.cid(rows.integer(1)));
    found.push_back(wait);
  }
  WEFT_TRY(rows.status());
  return found;
}

Result<std::vector<weave::Waiting>> Reader::find_waiting(const weave::PlaceKey& key) {
  Rows rows = database_.query(
      "SELECT conversation, created_at FROM waits JOIN conversations "
      "ON conversations.id = conversation WHERE key = ? ORDER BY conversation",
      blob_of(key));
  std::vector<weave::Waiting> found;
  while (rows.next()) {
    const Millis time = rows.integer(1);
    WEFT_TRY_VALUE(auto cid, names_.cid(rows.integer(0)));
    found.push_back({.conversation = cid, .created_at = time});
  }
  WEFT_TRY(rows.status());
  return found;
}

Result<bool> Reader::is_forgotten(const weave::PlaceKey& heading) {
  Rows rows = database_.query("SELECT 1 FROM forgotten WHERE key = ?", blob_of(heading));
  const bool found = rows.next();
  WEFT_TRY(rows.status());
  return found;
}

}  // namespace weft::store::sql

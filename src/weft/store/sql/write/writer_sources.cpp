// What a commit says of files, and of conversations that wait for each other.
#include <algorithm>
#include <span>

#include "weft/base/try.hpp"
#include "weft/store/sql/write/writer.hpp"

namespace weft::store::sql {
namespace {

Blob blob_of(std::span<const std::uint8_t> key) {
  return {{reinterpret_cast<const char*>(key.data()), key.size()}};
}

std::int64_t integer(std::uint64_t value) { return static_cast<std::int64_t>(value); }

std::unexpected<Error> joined_meanwhile() {
  return fail(
      ErrorCode::conflict,
      "a conversation and the call that spawned it were ingested at the same time; weave again");
}

}  // namespace

// Two processes may take in both ends of a join at once, neither knowing of the other: the
// one that commits second is woven again, and finds the first.
Status RowWriter::write_joins(const Addition& addition, Job& job) const {
  for (const Cid& child : addition.joined) {
    WEFT_TRY(database_.run("DELETE FROM waits WHERE conversation = ? AND substr(key, 1, 4) <> ?",
                           job.commit_names.id(child), blob_of(weave::kLeafTag)));
  }
  for (const weave::Wait& wait : addition.met) {
    WEFT_TRY(database_.run("DELETE FROM waits WHERE key = ? AND conversation = ?",
                           blob_of(wait.key), job.commit_names.id(wait.conversation)));
  }
  for (const weave::PlaceKey& key : addition.unmarked) {
    Rows marked = database_.query("SELECT 1 FROM marks WHERE key = ?", blob_of(key));
    if (marked.next()) return joined_meanwhile();
    WEFT_TRY(marked.status());
  }
  for (const weave::Mark& mark : addition.marks) {
    Rows waiting = database_.query("SELECT 1 FROM waits WHERE key = ?", blob_of(mark.key));
    if (waiting.next()) return joined_meanwhile();
    WEFT_TRY(waiting.status());
    WEFT_TRY(database_.run("INSERT INTO marks (key, call) VALUES (?, ?) ON CONFLICT DO NOTHING",
                           blob_of(mark.key), job.commit_names.id(mark.call)));
  }
  for (const weave::PlaceKey& key : addition.waits) {
    Rows marked = database_.query("SELECT 1 FROM marks WHERE key = ?", blob_of(key));
    if (marked.next()) return joined_meanwhile();
    WEFT_TRY(marked.status());
    WEFT_TRY(
        database_.run("INSERT INTO waits (key, conversation) VALUES (?, ?) ON CONFLICT DO NOTHING",
                      blob_of(key), job.commit_names.id(*addition.conversation)));
  }
  return {};
}

Status RowWriter::write_segment(Id source, std::uint64_t generation, const Segment& segment,
                                Job& job) const {
  std::vector<Id> dictionary;
  dictionary.reserve(segment.dictionary.size());
  for (const Cid& cid : segment.dictionary) {
    const CommitNames::Entry* entry = job.commit_names.find(cid);
    if (entry == nullptr) {
      return fail(ErrorCode::internal,
                  "an archived segment depends on a thought that is not in its commit");
    }
    dictionary.push_back(entry->id);
  }
  const std::string packed = pack_leaves(dictionary);
  std::optional<Blob> leans;
  if (!dictionary.empty()) leans = Blob{packed};
  return database_.run(
      "INSERT INTO archive (source, generation, seq, size, sealed, leans_on) "
      "VALUES (?, ?, ?, ?, ?, ?) "
      "ON CONFLICT (source, generation, seq) DO UPDATE SET size = excluded.size, "
      "sealed = excluded.sealed, leans_on = excluded.leans_on",
      source, integer(generation), integer(segment.seq), integer(segment.size),
      Blob{segment.sealed}, leans);
}

Status RowWriter::write_source(const SourceUpdate& update, Job& job) const {
  WEFT_TRY_VALUE(auto id, write_source_row(update.source));
  if (update.keeps_nothing) {
    Status status = database_.run("DELETE FROM archive WHERE source = ?", id);
    // Of a file so large that some of it was kept before a forgotten conversation showed.
    if (status && database_.changes() > 0) {
      status = database_.run("INSERT INTO wipes (tombstone) VALUES (0) ON CONFLICT DO NOTHING");
    }
    if (!status) return status;
  }
  for (const Segment& segment : update.segments) {
    WEFT_TRY(write_segment(id, update.source.generation, segment, job));
  }
  if (update.is_whole && update.source.generation > 0) {
    WEFT_TRY(
        database_.run("DELETE FROM archive WHERE source = ?1 AND generation < ?2 AND "
                      "(SELECT CAST(sum(piece.size) AS BIGINT) FROM archive piece WHERE "
                      "piece.source = ?1 AND piece.generation = archive.generation) "
                      "<= ?3",
                      id, integer(update.source.generation), integer(update.source.archived)));
  }
  for (const Cid& conversation : update.conversations) {
    WEFT_TRY_VALUE(auto known, find_id(database_, words_, conversation));
    if (!known) continue;
    WEFT_TRY(
        database_.run("INSERT INTO source_conversations (source, conversation) VALUES (?, ?) ON "
                      "CONFLICT DO NOTHING",
                      id, *known));
  }
  return {};
}

Result<Id> RowWriter::write_source_row(const Source& source) const {
  std::optional<Id> id;
  std::uint64_t revision = 0;
  Rows rows =
      database_.query("SELECT id, revision FROM sources WHERE key = ?", blob_of(source.key));
  if (rows.next()) {
    id = rows.integer(0);
    revision = static_cast<std::uint64_t>(rows.integer(1));
  }
  WEFT_TRY(rows.status());
  if (revision != source.revision) {
    return fail(ErrorCode::conflict, "another process ingested this file meanwhile; read it again");
  }
  if (!id) {
    Status status = database_.run(
        "INSERT INTO sources (key, revision, format, about, device, inode, modified, size, woven, "
        "lines, archived, print, generation, adapter_version, weave_version, ingested_at, state) "
        "VALUES (?1, 0, '', ?2, 0, 0, 0, 0, 0, 0, 0, ?2, 0, 0, 0, 0, ?2)",
        blob_of(source.key), Blob{""});
    if (!status) return fail(std::move(status).error());
    Rows made = database_.query("SELECT id FROM sources WHERE key = ?", blob_of(source.key));
    if (made.next()) id = made.integer(0);
    WEFT_TRY(made.status());
  }
  WEFT_TRY(database_.run(
      "UPDATE sources SET revision = ?, format = ?, about = ?, device = ?, inode = ?, "
      "modified = ?, size = ?, woven = ?, lines = ?, archived = ?, print = ?, generation = ?, "
      "adapter_version = ?, weave_version = ?, ingested_at = ?, state = ? WHERE id = ?",
      integer(source.revision + 1), source.format, Blob{source.about}, integer(source.device),
      integer(source.inode), source.modified_ns, integer(source.size), integer(source.offset),
      integer(source.lines), integer(source.archived), Blob{source.fingerprint},
      integer(source.generation), source.adapter_version, source.weave_version, source.ingested_at,
      Blob{source.state}, *id));
  return *id;
}

}  // namespace weft::store::sql

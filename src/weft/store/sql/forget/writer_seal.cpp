// SealRequest, in one transaction: first what is new is written, so that its ids are higher than
// any that go; then rows of the clear thoughts go, and what pointed at them as the thought of a
// place points at the sealed ones.
#include <algorithm>

#include "weft/base/try.hpp"
#include "weft/store/sql/forget/sealed.hpp"
#include "weft/store/sql/write/batch_additions.hpp"
#include "weft/store/sql/write/writer.hpp"

namespace weft::store::sql {
namespace {

std::unexpected<Error> changed_meanwhile() {
  return fail(ErrorCode::conflict,
              "cannot seal: another process changed the store meanwhile; plan again");
}

Blob key_blob(const SourceKey& key) {
  return {{reinterpret_cast<const char*>(key.data()), key.size()}};
}

}  // namespace

Status RowWriter::seal(const SealRequest& request, const ReadThoughts& read) {
  const BatchAdditions batched(request.batch);
  // What goes is wiped where it lay, page by page.
  WEFT_TRY(database_.backend().overwrite_deleted());
  WEFT_TRY_VALUE(auto transaction, begin());
  Status status = seal_rows(request, batched.additions(), read);
  if (status) status = finish(transaction);
  words_.forget();
  return status;
}

Status RowWriter::seal_rows(const SealRequest& request, std::span<const Addition> additions,
                            const ReadThoughts& read) {
  WEFT_TRY_VALUE(const auto clear, find_clear(request));
  // First: where the index has to be made again, that is done without what is new.
  WEFT_TRY(unindex(clear, request.indexer, read));
  Job job = job_of(request.batch);
  WEFT_TRY(write(additions, job));
  std::vector<Id> conversations;
  for (const Addition& addition : additions) {
    conversations.push_back(job.commit_names.id(*addition.conversation));
  }
  WEFT_TRY_VALUE(const auto dependent, depend_on(conversations));
  WEFT_TRY(write_tombstone(request.tombstone, request.owner));
  WEFT_TRY_VALUE(const auto tombstone, find_id(database_, words_, request.tombstone.cid));
  // The files are rewritten after it, also if this process does not live that long.
  WEFT_TRY(
      database_.run("INSERT INTO wipes (tombstone) VALUES (?) ON CONFLICT DO NOTHING", *tombstone));
  for (std::size_t i = 0; i < clear.size(); ++i) {
    const SealedIds ids{clear[i], job.commit_names.id(request.replaced[i].sealed)};
    WEFT_TRY(replace_clear(ids, conversations));
  }
  for (const SealRequest::Source& source : request.sources) {
    WEFT_TRY(write_repacked(source));
  }
  WEFT_TRY(check_archive_of(conversations, clear));
  for (const Id conversation : conversations) WEFT_TRY(count_again(conversation));
  LateContext with = late(request.indexer.keyring);
  WEFT_TRY(refill_late_tables(with, conversations));
  return refill_late_tables(with, dependent);
}

// The rows to remove. They are there, and held by those that the request says.
Result<std::vector<Id>> RowWriter::find_clear(const SealRequest& request) const {
  std::vector<Id> clear;
  for (const SealRequest::Replaced& replaced : request.replaced) {
    WEFT_TRY_VALUE(const auto id, find_id(database_, words_, replaced.clear));
    if (!id) return changed_meanwhile();
    WEFT_TRY_VALUE(const bool is_there, is_stored(*id));
    WEFT_TRY_VALUE(const auto holders, find_holders(database_, *id));
    std::vector<Cid> names;
    for (const Id holder : holders) {
      WEFT_TRY_VALUE(names.emplace_back(), get_cid(database_, words_, holder));
    }
    const bool is_as_planned = std::ranges::is_permutation(names, replaced.conversations);
    if (!is_there || !is_as_planned) return changed_meanwhile();
    clear.push_back(*id);
  }
  return clear;
}

// Its name stays, and so do the effects that rest on it.
Status RowWriter::replace_clear(const SealedIds& ids, const std::vector<Id>& conversations) {
  WEFT_TRY(remove_effects(ids.clear));
  WEFT_TRY(database_.run("DELETE FROM thoughts WHERE id = ?", ids.clear));
  WEFT_TRY(database_.run("DELETE FROM shares WHERE thought = ?", ids.clear));
  WEFT_TRY(database_.run("UPDATE marks SET call = ? WHERE call = ?", ids.sealed, ids.clear));
  for (const Id conversation : conversations) {
    WEFT_TRY(database_.run("UPDATE places SET thought = ? WHERE conversation = ? AND thought = ?",
                           ids.sealed, conversation, ids.clear));
  }
  return {};
}

Status RowWriter::write_repacked(const SealRequest::Source& source) const {
  WEFT_TRY(database_.run(
      "UPDATE sources SET revision = revision + 1, state = ? WHERE key = ? AND "
      "revision = ?",
      Blob{source.state}, key_blob(source.key), static_cast<std::int64_t>(source.revision)));
  if (database_.changes() != 1) return changed_meanwhile();
  for (const SealRequest::Source::Piece& piece : source.pieces) {
    std::vector<Id> dictionary;
    for (const Cid& cid : piece.segment.dictionary) {
      WEFT_TRY_VALUE(const auto id, find_id(database_, words_, cid));
      if (!id) return changed_meanwhile();
      dictionary.push_back(*id);
    }
    const std::string packed = pack_leaves(dictionary);
    WEFT_TRY(database_.run(
        "UPDATE archive SET sealed = ?, leans_on = ? WHERE source = "
        "(SELECT id FROM sources WHERE key = ?) AND generation = ? AND seq = ? AND size = ?",
        Blob{piece.segment.sealed}, dictionary.empty() ? std::nullopt : std::optional(Blob{packed}),
        key_blob(source.key), static_cast<std::int64_t>(piece.generation),
        static_cast<std::int64_t>(piece.segment.seq),
        static_cast<std::int64_t>(piece.segment.size)));
    if (database_.changes() != 1) return changed_meanwhile();
  }
  return {};
}

// No piece leans on what is gone: it could not be opened any more.
Status RowWriter::check_archive_of(const std::vector<Id>& conversations,
                                   const std::vector<Id>& clear) const {
  for (const Id conversation : conversations) {
    Rows rows = database_.query(
        "SELECT leans_on FROM source_conversations JOIN archive USING (source) "
        "WHERE conversation = ? AND leans_on IS NOT NULL",
        conversation);
    while (rows.next()) {
      WEFT_TRY_VALUE(const auto ranges, unpack_leaves(rows.bytes(0)));
      for (const Range& range : ranges) {
        const bool leans = std::ranges::any_of(clear, [&](Id id) {
          return id >= range.first && id - range.first < static_cast<Id>(range.count);
        });
        if (leans) return changed_meanwhile();
      }
    }
    WEFT_TRY(rows.status());
  }
  return {};
}

}  // namespace weft::store::sql

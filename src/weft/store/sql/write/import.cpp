// Thoughts of another store: sorted into conversations, then written like woven ones, a batch at a
// time, in one transaction. What is not written yet is read again from where it came.
#include <algorithm>

#include "weft/base/try.hpp"
#include "weft/store/import/import_grouping.hpp"
#include "weft/store/sql/read/newest.hpp"
#include "weft/store/sql/write/import_batch.hpp"
#include "weft/store/sql/write/imported_turns.hpp"
#include "weft/store/sql/write/writer.hpp"

namespace weft::store::sql {
namespace {

constexpr std::size_t kMaxIndexedBytes = 8u << 20;

// The end of the chain that `now` is in, or of the one that came where there was none. A
// chain that does not continue ours stays aside: what is woven next goes on with ours.
std::optional<Cid> newest_checkpoint(const Outlines& outlines, const ImportGrouping::Group& group,
                                     std::optional<Cid> now) {
  for (const std::uint32_t index : group.checkpoints) {
    if (!now || outlines.find_checkpoint(index)->previous == now) now = outlines.cid_of(index);
  }
  return now;
}

// The conversation's own thought, if it comes with the import: rows of the conversation need it.
std::optional<std::uint32_t> heading_of(const ImportGrouping::Part& part,
                                        const Outlines& outlines) {
  if (!part.conversation || part.checkpoint) return std::nullopt;
  const std::optional<std::uint32_t> cid = outlines.find_cid(*part.conversation);
  if (!cid || outlines.thought_at(*cid) == kNoNumber) return std::nullopt;
  return outlines.thought_at(*cid);
}

std::size_t packed_size(const ThoughtTerms& terms) {
  return terms.clear.packed.size() + terms.metadata.packed.size() + terms.content.packed.size();
}

}  // namespace

Result<ImportGrouping> RowWriter::sort_import(const Outlines& outlines) const {
  Status looked_up;
  const auto creator_of = [&](const Cid& conversation) -> std::optional<Cid> {
    Result<std::optional<Cid>> creator = find_creator(conversation);
    if (creator) return *creator;
    looked_up = fail(std::move(creator).error());
    return std::nullopt;
  };
  Result<ImportGrouping> sorting = ImportGrouping::sort(outlines, creator_of);
  if (!looked_up) return fail(std::move(looked_up).error());
  return sorting;
}

Result<std::uint64_t> RowWriter::write_parts(const ThoughtsToImport& thoughts,
                                             const ImportGrouping& sorting,
                                             std::vector<ImportedDocument>& documents,
                                             ImportedTurns& turns) {
  std::uint64_t new_thoughts = 0;
  std::uint32_t written = 0;  // additions
  ImportBatch batch(thoughts);
  const auto flush = [&]() -> Status {
    Job job{.from = From::import};
    WEFT_TRY_VALUE(auto committed, write_without_index(batch.additions(), job));
    new_thoughts += committed.new_thoughts;
    for (const NewDocument& added : job.documents) {
      const std::uint32_t cid = *thoughts.outlines.find_cid(added.thought->cid);
      documents.push_back({added.id, thoughts.outlines.thought_at(cid), written + added.addition});
    }
    for (std::size_t i = 0; i < batch.additions().size(); ++i) {
      turns.note(batch.additions()[i], job.runs[i].first, job.commit_names);
    }
    written += static_cast<std::uint32_t>(batch.additions().size());
    batch.clear();
    return {};
  };
  for (const ImportGrouping::Part& part : sorting.parts()) {
    batch.begin(part);
    const std::optional<std::uint32_t> heading = heading_of(part, thoughts.outlines);
    bool has_heading = !heading;
    for (const std::uint32_t member : part.members) {
      has_heading = has_heading || member == *heading;
      WEFT_TRY(batch.add(member));
      if (!part.leaves.empty() || !batch.is_full()) continue;
      // Only the first rows of a conversation need it: then its row is there.
      if (!has_heading) WEFT_TRY(batch.add(*heading));
      has_heading = true;
      WEFT_TRY(flush());
      batch.begin({.conversation = part.conversation});
    }
    if (batch.is_full()) WEFT_TRY(flush());
  }
  WEFT_TRY(flush());
  turns.sort();
  return new_thoughts;
}

Status RowWriter::index_imported(const ThoughtsToImport& thoughts,
                                 std::span<const ImportedDocument> documents,
                                 const ImportedTurns& turns, const Indexer& indexer) {
  Job job{.from = From::import, .index_keys = keys_of(indexer), .turns = &turns};
  std::deque<thought::Thought> read;
  std::deque<ThoughtTerms> made;
  std::size_t bytes = 0;
  const auto flush = [&]() -> Status {
    WEFT_TRY(index_new({}, job));
    job.documents.clear();
    read.clear();
    made.clear();
    bytes = 0;
    return {};
  };
  for (const ImportedDocument& document : documents) {
    WEFT_TRY_VALUE(thought::Thought thought, thoughts.read(document.thought));
    std::optional<ThoughtTerms> terms = terms_of(thought, indexer);
    if (!terms) continue;
    thought.content = {};  // its type and time are enough
    bytes += sizeof thought + packed_size(*terms);
    job.documents.push_back({document.id, &read.emplace_back(std::move(thought)),
                             &made.emplace_back(*std::move(terms)), document.addition});
    if (bytes >= kMaxIndexedBytes) WEFT_TRY(flush());
  }
  return flush();
}

Result<std::optional<Cid>> RowWriter::find_creator(const Cid& conversation) const {
  WEFT_TRY_VALUE(auto id, find_id(database_, words_, conversation));
  if (!id) return std::nullopt;
  WEFT_TRY_VALUE(auto newest, newest_of(database_, *id));
  if (!newest.creator) return std::nullopt;
  WEFT_TRY_VALUE(auto creator, get_cid(database_, words_, *newest.creator));
  return creator;
}

// The newest facts are those of the last commit, which is the order of the import; clocks that
// facts state do not count. The facts that the store has stay the newest unless the import
// continues them: it adds to the chain of checkpoints, or has facts behind the ones that are here.
Result<RowWriter::NewestCids> RowWriter::newest_after(const ImportGrouping& sorting,
                                                      const ImportGrouping::Group& group) const {
  const Outlines& outlines = sorting.outlines();
  NewestCids newest{.conversation = group.conversation};
  WEFT_TRY_VALUE(auto id, find_id(database_, words_, group.conversation));
  if (id) {
    WEFT_TRY_VALUE(auto stored, newest_of(database_, *id));
    for (const auto& [row, cid] : {std::pair(stored.checkpoint, &newest.checkpoint),
                                   std::pair(stored.facts, &newest.facts)}) {
      if (!row) continue;
      WEFT_TRY_VALUE(auto found, get_cid(database_, words_, *row));
      *cid = found;
    }
  }
  const std::optional<Cid> before = newest.facts;
  const std::optional<Cid> checkpoint = newest_checkpoint(outlines, group, newest.checkpoint);
  bool is_behind = !before || checkpoint != newest.checkpoint;
  newest.checkpoint = checkpoint;
  for (const std::uint32_t facts : group.facts) {
    const Cid& cid = outlines.cid_of(facts);
    if (cid == before) is_behind = true;
    WEFT_TRY_VALUE(auto known, find_id(database_, words_, cid));
    bool is_here = false;
    if (known) {
      WEFT_TRY_VALUE(is_here, is_stored(*known));
    }
    if (is_behind && !is_here) newest.facts = cid;
  }
  return newest;
}

Status RowWriter::set_newest(const NewestCids& newest) const {
  WEFT_TRY_VALUE(auto id, find_id(database_, words_, newest.conversation));
  if (!id) return {};
  std::optional<Id> checkpoint, facts;
  for (const auto& [cid, row] :
       {std::pair(newest.checkpoint, &checkpoint), std::pair(newest.facts, &facts)}) {
    if (!cid) continue;
    WEFT_TRY_VALUE(auto found, find_id(database_, words_, *cid));
    *row = found;
  }
  return database_.run("UPDATE conversations SET checkpoint = ?, facts = ? WHERE id = ?",
                       checkpoint, facts, *id);
}

Status RowWriter::note_tombstones(const ThoughtsToImport& thoughts) const {
  for (std::uint32_t i = 0; i < thoughts.outlines.size(); ++i) {
    const Outline& outline = thoughts.outlines[i];
    if (outline.is_dropped || outline.kind != Outline::Kind::tombstone) continue;
    WEFT_TRY_VALUE(auto thought, thoughts.read(i));
    WEFT_TRY_VALUE(auto id, find_id(database_, words_, thought.cid));
    if (id) WEFT_TRY(note_tombstone(thought, *id));
  }
  return {};
}

Status RowWriter::refill_imported(const std::vector<NewestCids>& imported, const Indexer& indexer) {
  std::vector<Id> conversations;
  for (const NewestCids& of : imported) {
    WEFT_TRY_VALUE(const auto id, find_id(database_, words_, of.conversation));
    if (!id) continue;
    conversations.push_back(*id);
    WEFT_TRY(note_changed(*id, conversations));
  }
  std::erase(conversations, 0);
  std::ranges::sort(conversations);
  const auto twice = std::ranges::unique(conversations);
  conversations.erase(twice.begin(), twice.end());
  LateContext with = late(indexer.keyring);
  return refill_late_tables(with, conversations);
}

Result<std::uint64_t> RowWriter::import_rows(const ThoughtsToImport& thoughts,
                                             const Indexer& indexer) {
  WEFT_TRY_VALUE(const ImportGrouping sorting, sort_import(thoughts.outlines));
  std::vector<NewestCids> newest;
  for (const ImportGrouping::Group& group : sorting.groups()) {
    WEFT_TRY_VALUE(auto after, newest_after(sorting, group));
    newest.push_back(std::move(after));
    WEFT_TRY_VALUE(auto forgotten, was_forgotten(group.conversation));
    if (forgotten) {
      return fail(ErrorCode::invalid_input,
                  "conversation " + group.conversation.str() +
                      " was forgotten in this store and is not imported again");
    }
  }
  std::vector<ImportedDocument> documents;
  ImportedTurns turns;
  WEFT_TRY_VALUE(const std::uint64_t written, write_parts(thoughts, sorting, documents, turns));
  WEFT_TRY(index_imported(thoughts, documents, turns, indexer));
  for (const NewestCids& of : newest) WEFT_TRY(set_newest(of));
  WEFT_TRY(note_tombstones(thoughts));
  WEFT_TRY(refill_imported(newest, indexer));
  return written;
}

Result<Committed> RowWriter::import(const ThoughtsToImport& thoughts, const Indexer& indexer) {
  WEFT_TRY_VALUE(auto transaction, begin());
  Result<std::uint64_t> written = import_rows(thoughts, indexer);
  Status status = written ? finish(transaction) : fail(Error(written.error()));
  if (!status) {
    words_.forget();
    return fail(std::move(status).error());
  }
  merge_index();
  return Committed{.new_thoughts = *written, .new_by_unit = {*written}};
}

}  // namespace weft::store::sql

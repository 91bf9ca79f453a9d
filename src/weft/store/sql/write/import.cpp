// Thoughts of another store: sorted into conversations, then written like woven ones, a batch at a
// time, in one transaction. What is not written yet is read again from where it came.
#include "weft/base/try.hpp"
#include "weft/store/import/import_grouping.hpp"
#include "weft/store/sql/write/import_batch.hpp"
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
  const auto is_known = [&](const Cid& conversation) {
    Result<std::optional<Id>> id = find_id(database_, words_, conversation);
    if (!id) {
      looked_up = fail(std::move(id).error());
      return false;
    }
    if (!*id) return false;
    sqlite::Rows rows = database_.query("SELECT 1 FROM conversations WHERE id = ?", **id);
    const bool known = rows.next();
    if (Status status = rows.status(); !status) looked_up = std::move(status);
    return known;
  };
  Result<ImportGrouping> sorting = ImportGrouping::sort(outlines, is_known);
  if (!looked_up) return fail(std::move(looked_up).error());
  return sorting;
}

Result<std::uint64_t> RowWriter::write_parts(const ThoughtsToImport& thoughts,
                                             const ImportGrouping& sorting,
                                             std::vector<ImportedDocument>& documents) {
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
  return new_thoughts;
}

Status RowWriter::index_imported(const ThoughtsToImport& thoughts,
                                 std::span<const ImportedDocument> documents,
                                 const Indexer& indexer) {
  Job job{.from = From::import, .index_keys = keys_of(indexer)};
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

Status RowWriter::set_newest(const ImportGrouping& sorting,
                             const ImportGrouping::Group& group) const {
  const Outlines& outlines = sorting.outlines();
  WEFT_TRY_VALUE(auto id, find_id(database_, words_, group.conversation));
  if (!id) return {};
  sqlite::Rows row = database_.query(
      "SELECT checkpoint, facts, (SELECT created_at FROM thoughts WHERE id = facts) "
      "FROM conversations WHERE id = ?",
      *id);
  if (!row.next()) return row.status();
  std::optional<Id> checkpoint = row.find_integer(0), facts = row.find_integer(1);
  const std::optional<Millis> facts_at = row.find_integer(2);

  std::optional<Cid> now;
  if (checkpoint) {
    WEFT_TRY_VALUE(auto cid, get_cid(database_, words_, *checkpoint));
    now = cid;
  }
  now = newest_checkpoint(outlines, group, now);
  if (now) {
    // It may be one that we had and that did not come again.
    WEFT_TRY_VALUE(auto found, find_id(database_, words_, *now));
    checkpoint = found;
  }
  if (group.facts) {
    // Facts that we have and that came, too, are older than those that came after them.
    bool is_newer = !facts || outlines[*group.facts].created_at > facts_at.value_or(0);
    if (facts) {
      WEFT_TRY_VALUE(auto ours, get_cid(database_, words_, *facts));
      const std::optional<std::uint32_t> number = outlines.find_cid(ours);
      is_newer = is_newer || (number && outlines.thought_at(*number) != kNoNumber);
    }
    WEFT_TRY_VALUE(auto found, find_id(database_, words_, outlines.cid_of(*group.facts)));
    if (is_newer) facts = found;
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

Result<Committed> RowWriter::import(const ThoughtsToImport& thoughts, const Indexer& indexer) {
  WEFT_TRY_VALUE(auto transaction,
                 sqlite::Transaction::begin(database_, sqlite::Transaction::Kind::immediate));
  WEFT_TRY(recall());
  WEFT_TRY_VALUE(const ImportGrouping sorting, sort_import(thoughts.outlines));
  for (const ImportGrouping::Group& group : sorting.groups()) {
    WEFT_TRY_VALUE(auto forgotten, was_forgotten(group.conversation));
    if (forgotten) {
      return fail(ErrorCode::invalid_input,
                  "conversation " + group.conversation.str() +
                      " was forgotten in this store and is not imported again");
    }
  }
  std::vector<ImportedDocument> documents;
  Result<std::uint64_t> written = write_parts(thoughts, sorting, documents);
  Status status = written ? index_imported(thoughts, documents, indexer) : fail(written.error());
  for (const ImportGrouping::Group& group : sorting.groups()) {
    if (status) status = set_newest(sorting, group);
  }
  if (status) status = note_tombstones(thoughts);
  if (status) status = transaction.commit();
  if (!status) {
    words_.forget();
    return fail(std::move(status).error());
  }
  return Committed{.new_thoughts = *written, .new_by_unit = {*written}};
}

}  // namespace weft::store::sql

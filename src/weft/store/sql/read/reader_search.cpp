// Search: the postings that ranking reads, and the places of thoughts.
#include "weft/base/try.hpp"
#include "weft/store/postings/near_terms.hpp"
#include "weft/store/sql/document_table.hpp"
#include "weft/store/sql/full_text.hpp"
#include "weft/store/sql/read/reader.hpp"

namespace weft::store::sql {

Result<IndexState> Reader::index_state() { return DocumentTable(database_).index_state(); }

Status Reader::each_document_page(std::int64_t first, const VisitPage& visit) {
  return DocumentTable(database_).each_document_page(first, visit);
}

Result<std::vector<Posting>> Reader::find_postings(Index index, const Sought& sought) {
  return database_.full_text().find(index, sought);
}

Status Reader::each_clear_term(std::string_view prefix, const VisitTerm& visit) {
  return database_.full_text().each_clear_term(prefix, visit);
}

Result<std::vector<NearTerm>> Reader::near_terms(const std::string& term, std::size_t max_edits) {
  return find_near_terms(*this, term, max_edits);
}

Result<std::vector<std::string>> Reader::index_keys(Index index) {
  return DocumentTable(database_).read_keys(index);
}

Status Reader::each_word(const VisitWord& visit) {
  Rows rows = database_.query("SELECT id, text FROM words");
  while (rows.next()) visit(rows.integer(0), rows.bytes(1));
  return rows.status();
}

Result<std::vector<Postings::IdRange>> Reader::thoughts_in(const Cid& conversation) {
  std::vector<IdRange> ranges;
  WEFT_TRY_VALUE(auto id, names_.find_id(conversation));
  if (!id) return ranges;
  Rows runs = database_.query("SELECT first, last FROM runs WHERE conversation = ?", *id);
  while (runs.next()) ranges.push_back({runs.integer(0), runs.integer(1)});
  WEFT_TRY(runs.status());
  Rows shares = database_.query("SELECT thought FROM shares WHERE conversation = ?", *id);
  while (shares.next()) ranges.push_back({shares.integer(0), shares.integer(0)});
  WEFT_TRY(shares.status());
  return ranges;
}

Result<std::vector<ThoughtPlace>> Reader::to_places(Rows rows) {
  std::vector<ThoughtPlace> places;
  while (rows.next()) {
    WEFT_TRY_VALUE(auto conversation, names_.cid(rows.integer(0)));
    WEFT_TRY_VALUE(auto turn, names_.cid(rows.integer(1)));
    places.push_back({conversation, turn});
  }
  WEFT_TRY(rows.status());
  return places;
}

Result<std::vector<ThoughtPlace>> Reader::places_of(const Cid& thought) {
  WEFT_TRY_VALUE(auto id, names_.find_id(thought));
  WEFT_TRY_VALUE(auto contains, words_.find_id("contains"));
  if (!id || !contains) return std::vector<ThoughtPlace>();
  return to_places(
      database_.query("SELECT turn.from_id, turn.to_id FROM connections block "
                      "JOIN connections turn ON turn.to_id = block.from_id "
                      "AND turn.relation = ?2 AND turn.created_by = block.created_by "
                      "JOIN thoughts talk ON talk.id = turn.from_id "
                      "AND talk.created_by = turn.created_by "
                      "WHERE block.to_id = ?1 AND block.relation = ?2 "
                      "AND turn.from_id IN (SELECT id FROM conversations) "
                      "ORDER BY block.id DESC, turn.id DESC",
                      *id, *contains));
}

Result<std::vector<ThoughtPlace>> Reader::places_beside(const Cid& thought,
                                                        const Documents& documents) {
  WEFT_TRY_VALUE(auto id, names_.find_id(thought));
  WEFT_TRY_VALUE(auto contains, words_.find_id("contains"));
  const std::optional<Document> document = id ? documents.find(*id) : std::nullopt;
  if (!document || !contains) return std::vector<ThoughtPlace>();
  return to_places(
      database_.query("SELECT from_id, to_id FROM connections edge JOIN thoughts talk "
                      "ON talk.id = from_id AND talk.created_by = edge.created_by "
                      "WHERE to_id = ? AND relation = ? "
                      "AND from_id IN (SELECT id FROM conversations) ORDER BY edge.id DESC",
                      documents.turn(*document), *contains));
}

Result<thought::Thought> Reader::get_thought(Id id) {
  WEFT_TRY_VALUE(auto cid, names_.cid(id));
  Rows rows = database_.query("SELECT * FROM thoughts WHERE id = ?", id);
  if (rows.next()) return to_thought(ThoughtColumns::of(rows), cid, WithPaths::no);
  WEFT_TRY(rows.status());
  return not_here(cid);
}

// Skips damaged rows: `weft verify` reports them.
Status Reader::each_searched(const std::function<Status(Id, const thought::Thought&)>& visit) {
  Rows rows = database_.query(
      "SELECT thoughts.*, names.cid FROM thoughts JOIN names ON names.id = thoughts.id "
      "ORDER BY thoughts.id");
  constexpr int kName = 10;
  while (rows.next()) {
    const Result<Cid> cid = to_cid(rows.bytes(kName));
    if (!cid) continue;
    const Result<thought::Thought> thought =
        to_thought(ThoughtColumns::of(rows), *cid, WithPaths::no);
    if (!thought) continue;
    WEFT_TRY(visit(rows.integer(0), *thought));
  }
  return rows.status();
}

Result<std::uint64_t> Reader::count_thoughts() {
  Rows rows = database_.query("SELECT count(*) FROM thoughts");
  const std::uint64_t count = rows.next() ? static_cast<std::uint64_t>(rows.integer(0)) : 0;
  WEFT_TRY(rows.status());
  return count;
}

}  // namespace weft::store::sql

#include "weft/base/try.hpp"
#include "weft/store/searchable.hpp"
#include "weft/store/sql/derived/checks.hpp"
#include "weft/store/sql/document_table.hpp"

#include <unordered_map>

namespace weft::store::sql {
namespace {

constexpr std::string_view kDocuments = "search_documents";

// A number for an id, so that sums of them show which ids there are.
std::uint64_t mix_id(Id id) {
  std::uint64_t hash = static_cast<std::uint64_t>(id) * 0x9e3779b97f4a7c15u;
  hash = (hash ^ hash >> 30) * 0xbf58476d1ce4e5b9u;
  return hash ^ hash >> 31;
}

struct IdSum {
  std::int64_t ids = 0;
  std::uint64_t sum = 0;
  void add(Id id) { ++ids, sum += mix_id(id); }
  friend bool operator==(const IdSum&, const IdSum&) = default;
};

Status sum_searched(Derivation& from, IdSum& sum) {
  std::unordered_map<Id, bool> searched;  // by type
  Rows rows = from.database.query("SELECT id, type FROM thoughts");
  while (rows.next()) {
    const auto [known, is_new] = searched.try_emplace(rows.integer(1));
    if (is_new) {
      const Result<std::string_view> type = from.words.text(known->first);
      known->second = type && is_searched(*type);
    }
    if (known->second) sum.add(rows.integer(0));
  }
  return rows.status();
}

// A document against the thought that it is.
Status check_document(Derivation& from, const DocumentRow& row, FindingList& out) {
  Rows thought =
      from.database.query("SELECT type, created_at FROM thoughts WHERE id = ?", row.thought);
  if (!thought.next()) {
    WEFT_TRY(thought.status());
    out.add(kDocuments, "a document is of no stored thought", {}, kReindex);
    return {};
  }
  if (thought.integer(0) != row.type || thought.integer(1) != row.time) {
    out.add(kDocuments, "the type or the time of this thought is another in the index", row.thought,
            kReindex);
  }
  return {};
}

}  // namespace

Status check_documents(Derivation& from, FindingList& out) {
  DocumentTable table(from.database);
  const Result<IndexState> state = table.index_state();
  if (!state) {
    out.add("search_state", state.error().message, {}, kReindex);
    return {};
  }
  IdSum documents, searched;
  std::int64_t count = 0;
  const auto visit = [&](std::string_view packed) -> Status {
    const Result<std::vector<DocumentRow>> rows = unpack_documents(packed);
    if (!rows) {
      out.add(kDocuments, rows.error().message, {}, kReindex);
      return {};
    }
    for (const DocumentRow& row : *rows) {
      ++count;
      if (row.thought == 0) continue;  // forgotten
      documents.add(row.thought);
      WEFT_TRY(check_document(from, row, out));
    }
    return {};
  };
  WEFT_TRY(table.each_document_page(0, visit));
  if (count != state->documents) {
    out.add("search_state",
            "the index has " + std::to_string(count) + " documents and counts " +
                std::to_string(state->documents),
            {}, kReindex);
  }
  if (state->is_behind) return {};
  WEFT_TRY(sum_searched(from, searched));
  if (documents != searched) {
    out.add(kDocuments, "some thoughts are not in the index, or twice", {}, kReindex);
  }
  return {};
}

}  // namespace weft::store::sql

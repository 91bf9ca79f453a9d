#include "weft/base/try.hpp"
#include "weft/store/searchable.hpp"
#include "weft/store/sql/derived/checks.hpp"
#include "weft/store/sql/document_table.hpp"
#include "weft/store/sql/full_text.hpp"

#include <array>
#include <unordered_map>
#include <vector>

namespace weft::store::sql {
namespace {

constexpr std::string_view kDocuments = "search_documents", kIndexPages = "index_pages";

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

// What the rows of documents say of their terms, by document; the first element is of none.
struct DocumentsSeen {
  std::array<std::vector<bool>, 3> have_words{std::vector<bool>(1), std::vector<bool>(1),
                                              std::vector<bool>(1)};  // by Index
  std::vector<bool> are_forgotten = std::vector<bool>(1);

  void add(const DocumentRow& row) {
    for (std::size_t i = 0; i < have_words.size(); ++i) have_words[i].push_back(row.lengths[i] > 0);
    are_forgotten.push_back(row.thought == 0);
  }
};

// The pages of an index against the rows of documents.
Status check_index(Derivation& from, Index index, const DocumentsSeen& seen, FindingList& out) {
  std::vector<bool> having(seen.are_forgotten.size());
  const Result<Document> unknown = from.database.full_text().check(index, having);
  if (!unknown && unknown.error().code != ErrorCode::corrupt) return fail(Error(unknown.error()));
  if (!unknown) {
    out.add(kIndexPages, unknown.error().message, {}, kReindex);
    return {};
  }
  const std::vector<bool>& have_words = seen.have_words[static_cast<std::size_t>(index)];
  for (std::size_t document = std::size_t{*unknown} + 1; document < having.size(); ++document) {
    if (having[document] && seen.are_forgotten[document]) {
      out.add(kIndexPages, "it has terms of a forgotten document", {}, kReindex);
    }
    if (!having[document] && have_words[document]) {
      out.add(kIndexPages, "the terms of a document are missing", {}, kReindex);
    }
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
  DocumentsSeen seen;
  const auto visit = [&](std::string_view packed) -> Status {
    const Result<std::vector<DocumentRow>> rows = unpack_documents(packed);
    if (!rows) {
      out.add(kDocuments, rows.error().message, {}, kReindex);
      return {};
    }
    for (const DocumentRow& row : *rows) {
      ++count;
      seen.add(row);
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
  for (const Index index : kIndexes) {
    WEFT_TRY(check_index(from, index, seen, out));
  }
  if (state->is_behind) return {};
  WEFT_TRY(sum_searched(from, searched));
  if (documents != searched) {
    out.add(kDocuments, "some thoughts are not in the index, or twice", {}, kReindex);
  }
  return {};
}

}  // namespace weft::store::sql

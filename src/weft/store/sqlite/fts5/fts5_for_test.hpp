// Stores as version 16 had them, for tests: indexes in FTS5, which the program only reads.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "weft/base/try.hpp"
#include "weft/store/inverted/run_reader.hpp"
#include "weft/store/sql/index_tables.hpp"
#include "weft/store/sqlite/fts5/fts5.hpp"
#include "weft/store/sqlite/schema.hpp"
#include "weft/store/sqlite/sums/table_sums.hpp"

namespace weft::store::sql {

inline Status add_to_fts5(const PlainDatabase& database, Index index, Document document,
                          std::string_view packed) {
  switch (index) {
    case Index::metadata:
      return database.run("INSERT INTO search_metadata (rowid, terms) VALUES (?, ?)",
                          std::int64_t{document}, Blob{packed});
    case Index::content:
      return database.run("INSERT INTO search_content (rowid, terms) VALUES (?, ?)",
                          std::int64_t{document}, Blob{packed});
    case Index::clear: break;
  }
  return database.run("INSERT INTO search_clear (rowid, terms) VALUES (?, ?)",
                      std::int64_t{document}, Blob{packed});
}

// Exactly the terms that were added, of an index of clear text.
inline Status remove_from_fts5(const PlainDatabase& database, Document document,
                               std::string_view packed) {
  return database.run(
      "INSERT INTO search_clear (search_clear, rowid, terms) VALUES ('delete', ?, ?)",
      std::int64_t{document}, Blob{packed});
}

// The terms of each document, packed (index_terms.hpp), as its runs have them.
inline Result<std::map<Document, std::string>> packed_documents(const PlainDatabase& database,
                                                                Index index) {
  std::map<Document, std::multimap<std::uint32_t, std::string>> documents;  // by position
  IndexTables pages(database);
  WEFT_TRY_VALUE(const auto runs, pages.runs(index));
  for (const IndexRun& run : runs) {
    RunReader reader(pages, run, RunReader::Positions::read);
    while (true) {
      WEFT_TRY_VALUE(const bool has_term, reader.next_term());
      if (!has_term) break;
      while (true) {
        WEFT_TRY_VALUE(const bool has_more, reader.next_posting());
        if (!has_more) break;
        auto& terms = documents[reader.posting().document];
        auto position = static_cast<std::uint32_t>(terms.size());
        if (has_positions(index)) {
          std::string_view positions = reader.positions();
          take_positions(positions, reader.posting().times,
                         [&](std::uint32_t at) { terms.emplace(at, reader.term()); });
        } else {
          for (std::uint32_t i = 0; i < reader.posting().times; ++i) {
            terms.emplace(position++, reader.term());
          }
        }
      }
    }
  }
  std::map<Document, std::string> packed;
  for (const auto& [document, terms] : documents) {
    std::string& out = packed[document];
    std::int64_t before = -1;
    for (const auto& [position, term] : terms) {
      if (position == before) out += '\0';
      before = position;
      out += static_cast<char>(term.size());
      out += term;
    }
  }
  return packed;
}

// Makes a store of version 16 of one of this version that nobody has open.
inline Status turn_to_version_16(const std::string& path) {
  WEFT_TRY_VALUE(auto database, open_reader(path));
  WEFT_TRY_VALUE(auto transaction, Transaction::begin(database, Transaction::Kind::immediate));
  WEFT_TRY(create_fts5(database));
  for (const Index index : kIndexes) {
    WEFT_TRY_VALUE(const auto documents, packed_documents(database, index));
    for (const auto& [document, packed] : documents) {
      WEFT_TRY(add_to_fts5(database, index, document, packed));
    }
  }
  WEFT_TRY(database.script("DROP TABLE index_runs; DROP TABLE index_pages"));
  WEFT_TRY(remove_sums_of_dropped(database));
  WEFT_TRY(database.script("SAVEPOINT written; RELEASE written"));  // FTS5 writes its tables
  WEFT_TRY_VALUE(const auto tables, summed_tables(database));
  for (const std::string& table : tables) {
    if (table.starts_with("search_")) WEFT_TRY(store_sum(database, table));
  }
  WEFT_TRY(database.script("PRAGMA user_version = 16"));
  return transaction.commit();
}

}  // namespace weft::store::sql

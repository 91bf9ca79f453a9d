// The three full-text indexes, as FTS5 keeps them: tables search_clear, search_metadata and
// search_content, contentless, their rows numbered as documents are (documents.hpp).
//
// Terms come ready made (store/search.hpp): our tokenizer for FTS5 only hands them on, one by one.
// Ranking needs from FTS5 no more than which documents have a term, and how often: a function of
// ours, called once for a question, goes through the rows of each of its terms. So no row of a
// table is read for a match, and how common a term is need not be counted first.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/sqlite/database.hpp"
#include "weft/store/search.hpp"

namespace weft::store::sql {

// Which of the three.
enum class Index : std::uint8_t { clear, metadata, content };
inline constexpr Index kIndexes[] = {Index::clear, Index::metadata, Index::content};

using Document = std::uint32_t;  // the first is 1

// A document that has what was looked for, and how often.
struct Posting {
  Document document;
  std::uint32_t times;
};

// What is looked for in one index: a term, terms one after another, or what terms begin with.
struct Sought {
  std::vector<std::string> terms{};
  bool is_prefix = false;
};

// What every connection needs before it touches the indexes. For once on each connection.
Status install_index(const sqlite::Database& database);
// Makes the tables. Precondition: none are there.
Status create_index(const sqlite::Database& database);
Status drop_index(const sqlite::Database& database);

// Adds a document's terms, packed, or takes them away: the same terms that were added.
Status add_terms(const sqlite::Database& database, Index index, Document document,
                 std::string_view packed);
Status remove_terms(const sqlite::Database& database, Index index, Document document,
                    std::string_view packed);
// Writes the index anew without what was taken away: until then traces of it are left.
Status compact_index(const sqlite::Database& database);

// Under which keys a sealed index has terms: those of more than one keyring may lie in it.
Status note_keys(const sqlite::Database& database, const IndexKeys& keys);
Result<std::vector<std::string>> read_keys(const sqlite::Database& database, Index index);

// The documents with what is sought, in their order.
Result<std::vector<Posting>> find_postings(const sqlite::Database& database, Index index,
                                           const Sought& sought);

}  // namespace weft::store::sql

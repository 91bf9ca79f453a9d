#include "weft/store/sqlite/fts5/fts5.hpp"

#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <new>
#include <utility>

#include "weft/base/try.hpp"
#include "weft/sqlite/database.hpp"
#include "weft/sqlite/error.hpp"
#include "weft/store/inverted/term_page.hpp"
#include "weft/store/pages/pack.hpp"
#include "weft/store/pages/packed_terms.hpp"

namespace weft::store::sql {
namespace {

// --- the tokenizer -------------------------------------------------------------------------

int hand_on(void* context, int (*take)(void*, int, const char*, int, int, int), int flags,
            std::string_view term) {
  return take(context, flags, term.data(), static_cast<int>(term.size()), 0, 0);
}

// Of a document: packed terms.
int hand_on_document(void* context, std::string_view packed,
                     int (*take)(void*, int, const char*, int, int, int)) {
  int code = SQLITE_OK;
  each_packed_term(packed, [&](std::string_view term, bool is_beside, std::uint32_t times) {
    const int flags = is_beside ? FTS5_TOKEN_COLOCATED : 0;
    for (; times > 0 && code == SQLITE_OK; --times) code = hand_on(context, take, flags, term);
    return code == SQLITE_OK;
  });
  return code;
}

// Of a question: terms with a blank between them.
int hand_on_question(void* context, std::string_view text,
                     int (*take)(void*, int, const char*, int, int, int)) {
  while (!text.empty()) {
    const std::string_view term = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), term.size() + 1));
    if (term.empty()) continue;
    if (const int code = hand_on(context, take, 0, term); code != SQLITE_OK) return code;
  }
  return SQLITE_OK;
}

int tokenize(Fts5Tokenizer*, void* context, int flags, const char* text, int size,
             int (*take)(void*, int, const char*, int, int, int)) {
  if (text == nullptr || size <= 0) return SQLITE_OK;
  const std::string_view all(text, static_cast<std::size_t>(size));
  return (flags & FTS5_TOKENIZE_QUERY) != 0 ? hand_on_question(context, all, take)
                                            : hand_on_document(context, all, take);
}

int make_tokenizer(void*, const char**, int, Fts5Tokenizer** out) {
  static char nothing;  // it has no state, but FTS5 wants a pointer
  *out = reinterpret_cast<Fts5Tokenizer*>(&nothing);
  return SQLITE_OK;
}

void drop_tokenizer(Fts5Tokenizer*) {}

// --- gathering -----------------------------------------------------------------------------

constexpr const char* kGathererType = "weft gatherer";

// What take_posting() collects of a term.
struct Gatherer {
  std::vector<Posting>& postings;
  std::string* positions = nullptr;  // of all postings, one after another; null: not wanted
  Document after = 0;                // documents up to this one are passed over
};

int take_posting(const Fts5ExtensionApi* api, Fts5Context* context, void* to) {
  auto& gatherer = *static_cast<Gatherer*>(to);
  const auto document = static_cast<Document>(api->xRowid(context));
  if (document <= gatherer.after) return SQLITE_OK;
  std::uint32_t times = 0;
  Fts5PhraseIter iterator;
  int column = 0, offset = 0, before = 0;
  try {
    int code = api->xPhraseFirst(context, 0, &iterator, &column, &offset);
    for (; code == SQLITE_OK && column >= 0;
         api->xPhraseNext(context, &iterator, &column, &offset)) {
      ++times;
      if (gatherer.positions == nullptr) continue;
      append_varint(*gatherer.positions, static_cast<std::uint64_t>(offset - before));
      before = offset;
    }
    if (code == SQLITE_OK && times > 0) gatherer.postings.push_back({document, times});
    return code;
  } catch (const std::bad_alloc&) {
    return SQLITE_NOMEM;
  }
}

// weft_gather(table, gatherer): called for the first row alone, it goes through all of them.
void gather(const Fts5ExtensionApi* api, Fts5Context* context, sqlite3_context* result, int count,
            sqlite3_value** values) {
  void* gatherer = count == 1 ? sqlite3_value_pointer(values[0], kGathererType) : nullptr;
  if (gatherer == nullptr) {
    sqlite3_result_error_code(result, SQLITE_MISUSE);
    return;
  }
  const int code = api->xQueryPhrase(context, 0, gatherer, take_posting);
  if (code != SQLITE_OK) sqlite3_result_error_code(result, code);
}

// --- FTS5 ------------------------------------------------------------------------------------

fts5_api* find_fts5(sqlite3* handle) {
  fts5_api* api = nullptr;
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v2(handle, "SELECT fts5(?1)", -1, &statement, nullptr) == SQLITE_OK) {
    sqlite3_bind_pointer(statement, 1, &api, "fts5_api_ptr", nullptr);
    sqlite3_step(statement);
  }
  sqlite3_finalize(statement);
  return api;
}

struct Statements {
  Sql find, check, instances;
};
// By Index.
constexpr std::array<Statements, 3> kStatements = {
    Statements{"SELECT weft_gather(search_clear, ?1) FROM search_clear WHERE search_clear "
               "MATCH ?2 LIMIT 1",
               "INSERT INTO search_clear (search_clear) VALUES ('integrity-check')",
               "SELECT term, doc, offset FROM temp.clear_instances WHERE term >= ?"},
    Statements{"SELECT weft_gather(search_metadata, ?1) FROM search_metadata WHERE "
               "search_metadata MATCH ?2 LIMIT 1",
               "INSERT INTO search_metadata (search_metadata) VALUES ('integrity-check')",
               "SELECT term, doc, offset FROM temp.metadata_instances WHERE term >= ?"},
    Statements{"SELECT weft_gather(search_content, ?1) FROM search_content WHERE search_content "
               "MATCH ?2 LIMIT 1",
               "INSERT INTO search_content (search_content) VALUES ('integrity-check')",
               "SELECT term, doc, offset FROM temp.content_instances WHERE term >= ?"}};

const Statements& statements_of(Index index) {
  return kStatements[static_cast<std::size_t>(index)];
}

// FTS5's views of the terms of its indexes. They store nothing, and are of this connection alone.
constexpr const char* kTermViews = R"sql(
CREATE VIRTUAL TABLE IF NOT EXISTS temp.clear_terms USING fts5vocab(main, search_clear, row);
)sql";
constexpr const char* kInstanceViews = R"sql(
CREATE VIRTUAL TABLE IF NOT EXISTS temp.clear_instances
  USING fts5vocab(main, search_clear, instance);
CREATE VIRTUAL TABLE IF NOT EXISTS temp.metadata_instances
  USING fts5vocab(main, search_metadata, instance);
CREATE VIRTUAL TABLE IF NOT EXISTS temp.content_instances
  USING fts5vocab(main, search_content, instance);
)sql";

// As FTS5 reads it. No term of ours has a quote in it; what came from elsewhere may.
std::string expression(const Sought& sought) {
  std::string out = "\"";
  for (const std::string& term : sought.terms) {
    if (out.size() > 1) out += ' ';
    for (const char c : term) {
      if (c == '\0' || c == ' ') continue;
      if (c == '"') out += '"';
      out += c;
    }
  }
  out += '"';
  if (sought.is_prefix) out += '*';
  return out;
}

Error damaged(Error error) {
  return std::move(error).within("reading the search index (weft reindex rebuilds it)");
}

Status gather_all(const PlainDatabase& database, Index index, const Sought& sought,
                  Gatherer gatherer) {
  const std::string text = expression(sought);
  Rows rows = sqlite::statement_of(database, statements_of(index).find)
                  .query(sqlite::Pointer{&gatherer, kGathererType}, std::string_view(text));
  while (rows.next()) {
  }
  if (Status status = rows.status(); !status) {
    return fail(damaged(std::move(status).error()));
  }
  return {};
}

}  // namespace

Status install_fts5(const PlainDatabase& database) {
  fts5_api* api = find_fts5(sqlite::handle_of(database));
  if (api == nullptr) return fail(ErrorCode::internal, "this SQLite has no FTS5");
  fts5_tokenizer tokenizer{make_tokenizer, drop_tokenizer, tokenize};
  int code = api->xCreateTokenizer(api, "weft", nullptr, &tokenizer, nullptr);
  if (code == SQLITE_OK) code = api->xCreateFunction(api, "weft_gather", nullptr, gather, nullptr);
  if (code != SQLITE_OK) return fail(sqlite::to_error(code, "preparing the index"));
  Rows rows = database.query("SELECT 1 FROM sqlite_master WHERE name = 'search_clear'");
  const bool is_there = rows.next();
  WEFT_TRY(rows.status());
  // Here, because a connection that only reads can make no view later.
  return is_there ? database.script(kTermViews) : Status();
}

Status create_fts5(const PlainDatabase& database) {
  return database.script(R"sql(
CREATE VIRTUAL TABLE search_clear USING fts5(terms, content='', columnsize=0, tokenize='weft');
CREATE VIRTUAL TABLE search_metadata USING fts5(terms, content='', columnsize=0, tokenize='weft');
CREATE VIRTUAL TABLE search_content USING fts5(terms, content='', columnsize=0, tokenize='weft');
INSERT INTO search_clear (search_clear, rank) VALUES ('automerge', 8);
INSERT INTO search_content (search_content, rank) VALUES ('automerge', 8);
INSERT INTO search_clear (search_clear, rank) VALUES ('pgsz', 8000);
INSERT INTO search_content (search_content, rank) VALUES ('pgsz', 8000);
INSERT INTO search_clear (search_clear, rank) VALUES ('hashsize', 8388608);
INSERT INTO search_content (search_content, rank) VALUES ('hashsize', 8388608);
)sql");
}

Status drop_fts5(const PlainDatabase& database) {
  return database.script(R"sql(
DROP TABLE IF EXISTS temp.clear_terms;
DROP TABLE IF EXISTS temp.clear_instances;
DROP TABLE IF EXISTS temp.metadata_instances;
DROP TABLE IF EXISTS temp.content_instances;
DROP TABLE IF EXISTS main.search_clear;
DROP TABLE IF EXISTS main.search_metadata;
DROP TABLE IF EXISTS main.search_content;
)sql");
}

Result<std::vector<Posting>> Fts5::find(Index index, const Sought& sought) {
  std::vector<Posting> postings;
  WEFT_TRY(gather_all(database_, index, sought, {postings}));
  return postings;
}

Status Fts5::each_clear_term(std::string_view prefix, const Postings::VisitTerm& visit) {
  WEFT_TRY(database_.script(kTermViews));
  Rows rows = database_.query("SELECT term, doc FROM temp.clear_terms WHERE term >= ?", prefix);
  while (rows.next()) {
    const std::string_view term = rows.bytes(0);
    if (!term.starts_with(prefix)) return {};
    if (!visit(term, static_cast<std::uint64_t>(rows.integer(1)))) return {};
  }
  return rows.status();
}

Status Fts5::check(Index index) { return database_.run(statements_of(index).check); }

Status Fts5::each_posting(Index index, const std::string& term, Document after,
                          const Visit& visit) {
  std::vector<Posting> postings;
  std::string positions;
  WEFT_TRY(gather_all(database_, index, {.terms = {term}}, {postings, &positions, after}));
  std::string_view left = positions;
  for (const Posting& posting : postings) {
    const std::size_t size = size_of_varints(left, posting.times).value_or(left.size());
    WEFT_TRY_VALUE(const bool wants_more, visit(term, posting, left.substr(0, size)));
    if (!wants_more) return {};
    left.remove_prefix(size);
  }
  return {};
}

Status Fts5::each_posting_after(Index index, const std::string& term, const Visit& visit) {
  WEFT_TRY(database_.script(kInstanceViews));
  // No term that was indexed has a byte 0, so no other lies between.
  const std::string from = term.empty() ? "" : term + '\x01';
  std::string of, positions;
  Posting posting{};
  std::int64_t before = 0;
  Rows rows = database_.query(statements_of(index).instances, std::string_view(from));
  while (rows.next()) {
    const std::string_view next = rows.bytes(0);
    const auto document = static_cast<Document>(rows.integer(1));
    if (posting.times > 0 && (document != posting.document || next != of)) {
      WEFT_TRY_VALUE(const bool wants_more, visit(of, posting, positions));
      if (!wants_more) return {};
      posting.times = 0;
    }
    if (posting.times == 0) {
      of = next;
      posting.document = document;
      positions.clear();
      before = 0;
    }
    ++posting.times;
    append_varint(positions, static_cast<std::uint64_t>(rows.integer(2) - before));
    before = rows.integer(2);
  }
  if (Status status = rows.status(); !status) return fail(damaged(std::move(status).error()));
  if (posting.times == 0) return {};
  WEFT_TRY(visit(of, posting, positions));
  return {};
}

}  // namespace weft::store::sql

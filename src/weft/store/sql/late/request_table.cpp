#include "weft/store/sql/late/request_table.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <span>

#include "weft/base/try.hpp"
#include "weft/store/sql/late/sealed_columns.hpp"
#include "weft/store/sql/late/stored_thought.hpp"
#include "weft/thought/seal.hpp"

namespace weft::store::sql {
namespace {

constexpr std::string_view kRequests = "requests";
constexpr std::string_view kSums = "request_sums";
constexpr std::array kRequestPortions = {Portion::clear, Portion::metadata, Portion::content};
// A commit rewrites the row of its conversation. One with more statements becomes a page, which
// stays as it is.
constexpr std::size_t kRowStatements = 128;

// --- what one usage thought contributes ----------------------------------------------------------

Portion portion_of(const thought::Thought& usage) {
  if (usage.layers.content) return Portion::content;
  return usage.layers.metadata ? Portion::metadata : Portion::clear;
}

void add_usage_thought(const thought::Thought& usage, const crypto::Keyring* keyring,
                       ModelNames& models, StatedRequests& out) {
  const json::object content = thought::open_content(usage, keyring, nullptr, thought::Keys::own);
  if (content.contains("$layers")) ++out.unopened;
  auto& requests = out.portions[static_cast<std::size_t>(portion_of(usage))];
  for (const thought::CountedRequest& request : thought::parse_usage(content)) {
    requests.push_back(to_entry(request, models));
  }
}

// --- rows ----------------------------------------------------------------------------------------

std::optional<Blob> blob_unless_empty(const std::string& bytes) {
  return bytes.empty() ? std::nullopt : std::optional(Blob{bytes});
}

using Columns = std::array<std::string, kPortions>;

Result<Columns> seal_requests(const RowSeal& seal, const StatedRequests& stated,
                              const ModelNames& models) {
  Columns columns;
  for (const Portion portion : kRequestPortions) {
    const auto i = static_cast<std::size_t>(portion);
    WEFT_TRY_VALUE(columns[i], seal.seal(portion, pack(stated.portions[i], models)));
  }
  return columns;
}

// Appends what three columns hold.
Status open_requests(const RowSeal& seal, const Rows& row, int column, ModelNames& models,
                     StatedRequests& out) {
  for (const Portion portion : kRequestPortions) {
    const auto i = static_cast<std::size_t>(portion);
    const auto stored = row.find_bytes(column + static_cast<int>(i));
    if (!stored) continue;
    if (portion == Portion::clear) {
      WEFT_TRY(unpack_requests(*stored, models, out.portions[i]));
      continue;
    }
    WEFT_TRY_VALUE(const auto plain, seal.open(portion, *stored));
    if (plain) WEFT_TRY(unpack_requests(*plain, models, out.portions[i]));
    else out.is_closed[i] = true;
  }
  return {};
}

struct RequestRow {
  std::int64_t pages = 0;
  StatedRequests stated{};  // of the row alone
};

// --- sums ----------------------------------------------------------------------------------------

// Of a page, or of the row, which has the number of the next page.
Status write_sums(LateContext& with, Id conversation, std::int64_t page,
                  const StatedRequests& stated, std::int64_t unopened, const ModelNames& models) {
  const RowSeal seal(with.keyring, kSums, conversation, page);
  Columns columns;
  for (const Portion portion : kRequestPortions) {
    const auto i = static_cast<std::size_t>(portion);
    WEFT_TRY_VALUE(columns[i], seal.seal(portion, pack(add_up(stated.portions[i]), models)));
  }
  return with.database.run(
      "INSERT INTO request_sums (conversation, page, unopened, clear, metadata, content) "
      "VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (conversation, page) DO UPDATE SET "
      "unopened = excluded.unopened, clear = excluded.clear, metadata = excluded.metadata, "
      "content = excluded.content",
      conversation, page, unopened, blob_unless_empty(columns[0]), blob_unless_empty(columns[1]),
      blob_unless_empty(columns[2]));
}

// Appends what the columns page, clear, metadata and content hold, from `column` on, to the sums of
// each portion.
Status open_sums(const crypto::Keyring* keyring, Id conversation, const Rows& row, int column,
                 ModelNames& models, std::array<RequestSums, kPortions>& out,
                 std::array<bool, kPortions>& is_closed) {
  const RowSeal seal(keyring, kSums, conversation, row.integer(column));
  for (const Portion portion : kRequestPortions) {
    const auto i = static_cast<std::size_t>(portion);
    const auto stored = row.find_bytes(column + 1 + static_cast<int>(i));
    if (!stored) continue;
    if (portion == Portion::clear) {
      WEFT_TRY(unpack_sums(*stored, models, out[i]));
      continue;
    }
    WEFT_TRY_VALUE(const auto plain, seal.open(portion, *stored));
    if (plain) WEFT_TRY(unpack_sums(*plain, models, out[i]));
    else is_closed[i] = true;
  }
  return {};
}

// --- writing -------------------------------------------------------------------------------------

Status write_request_row(LateContext& with, Id conversation, RequestRow row,
                         const ModelNames& models) {
  std::size_t statements = 0;
  for (auto& portion : row.stated.portions) {
    merge_statements(portion, models);
    statements += portion.size();
  }
  if (statements >= kRowStatements) {
    const RowSeal seal(with.keyring, "request_pages", conversation, row.pages);
    WEFT_TRY_VALUE(const Columns columns, seal_requests(seal, row.stated, models));
    WEFT_TRY(with.database.run(
        "INSERT INTO request_pages (conversation, page, clear, metadata, content) "
        "VALUES (?, ?, ?, ?, ?)",
        conversation, row.pages, blob_unless_empty(columns[0]), blob_unless_empty(columns[1]),
        blob_unless_empty(columns[2])));
    WEFT_TRY(write_sums(with, conversation, row.pages, row.stated, 0, models));
    ++row.pages;
    row.stated.portions = {};
  }
  WEFT_TRY(write_sums(with, conversation, row.pages, row.stated, row.stated.unopened, models));
  const RowSeal seal(with.keyring, kRequests, conversation);
  WEFT_TRY_VALUE(const Columns columns, seal_requests(seal, row.stated, models));
  return with.database.run(
      "INSERT INTO requests (conversation, pages, unopened, clear, metadata, content) "
      "VALUES (?, ?, ?, ?, ?, ?) "
      "ON CONFLICT (conversation) DO UPDATE SET pages = excluded.pages, unopened = "
      "excluded.unopened, clear = excluded.clear, metadata = excluded.metadata, content = "
      "excluded.content",
      conversation, row.pages, row.stated.unopened, blob_unless_empty(columns[0]),
      blob_unless_empty(columns[1]), blob_unless_empty(columns[2]));
}

Result<RequestRow> find_request_row(LateContext& with, Id conversation, ModelNames& models) {
  RequestRow found;
  Rows row = with.database.query(
      "SELECT pages, unopened, clear, metadata, content FROM requests WHERE conversation = ?",
      conversation);
  if (row.next()) {
    found.pages = row.integer(0);
    found.stated.unopened = row.integer(1);
    const RowSeal seal(with.keyring, kRequests, conversation);
    WEFT_TRY(open_requests(seal, row, 2, models, found.stated));
  }
  WEFT_TRY(row.status());
  return found;
}

// --- the late table ------------------------------------------------------------------------------

Status remove_requests(LateContext& with, Id conversation) {
  WEFT_TRY(with.database.run("DELETE FROM requests WHERE conversation = ?", conversation));
  WEFT_TRY(with.database.run("DELETE FROM request_sums WHERE conversation = ?", conversation));
  return with.database.run("DELETE FROM request_pages WHERE conversation = ?", conversation);
}

Status fill_requests(LateContext& with, Id conversation) {
  ModelNames models;
  WEFT_TRY_VALUE(auto stated, read_usage_thoughts(with, conversation, models));
  WEFT_TRY(remove_requests(with, conversation));
  return write_request_row(with, conversation, {.stated = std::move(stated)}, models);
}

Status add_requests(LateContext& with, const LateAddition& addition) {
  ModelNames models;
  RequestRow row;
  bool is_read = addition.is_new, is_changed = addition.is_new;
  for (const LateAddition::NewThought& added : addition.thoughts) {
    if (added.author != addition.creator || added.first_cause != addition.conversation) continue;
    if (thought::kind_of(added.thought->type) != thought::kUsageKind) continue;
    if (!is_read) {
      WEFT_TRY_VALUE(row, find_request_row(with, addition.conversation, models));
      is_read = true;
    }
    add_usage_thought(*added.thought, with.keyring, models, row.stated);
    is_changed = true;
  }
  if (!is_changed) return {};
  if (std::ranges::find(row.stated.is_closed, true) != row.stated.is_closed.end()) {
    return fail(ErrorCode::denied, "the requests of conversation " +
                                       std::to_string(addition.conversation) +
                                       " are sealed with other keys");
  }
  return write_request_row(with, addition.conversation, std::move(row), models);
}

// Fails as corrupt if a sum is not that of its page, or of the row.
Status check_sums(LateContext& with, Id conversation) {
  ModelNames models;
  std::map<std::int64_t, StatedRequests> stated;
  const auto add = [&](std::string_view table, std::int64_t part, std::int64_t page,
                       const Rows& row, int column) {
    const RowSeal seal(with.keyring, table, conversation, part);
    return open_requests(seal, row, column, models, stated[page]);
  };
  Rows pages = with.database.query(
      "SELECT page, clear, metadata, content FROM request_pages WHERE conversation = ?",
      conversation);
  while (pages.next()) {
    WEFT_TRY(add("request_pages", pages.integer(0), pages.integer(0), pages, 1));
  }
  WEFT_TRY(pages.status());
  Rows rows = with.database.query(
      "SELECT pages, clear, metadata, content, unopened FROM requests WHERE conversation = ?",
      conversation);
  if (rows.next()) {
    stated[rows.integer(0)].unopened = rows.integer(4);
    WEFT_TRY(add(kRequests, 0, rows.integer(0), rows, 1));
  }
  WEFT_TRY(rows.status());
  Rows sums = with.database.query(
      "SELECT page, clear, metadata, content, unopened FROM request_sums WHERE conversation = ?",
      conversation);
  while (sums.next()) {
    const auto found = stated.find(sums.integer(0));
    if (found == stated.end() || sums.integer(4) != found->second.unopened) {
      return fail(ErrorCode::corrupt, "a sum of requests belongs to no page");
    }
    std::array<RequestSums, kPortions> stored;
    std::array<bool, kPortions> is_closed{};
    WEFT_TRY(open_sums(with.keyring, conversation, sums, 0, models, stored, is_closed));
    for (std::size_t i = 0; i < kPortions; ++i) {
      if (is_closed[i] || found->second.is_closed[i]) continue;
      if (stored[i] == add_up(found->second.portions[i])) continue;
      return fail(ErrorCode::corrupt, "sums of requests differ");
    }
    stated.erase(found);
  }
  WEFT_TRY(sums.status());
  if (!stated.empty()) return fail(ErrorCode::corrupt, "sums of requests are missing");
  return {};
}

Status check_requests(LateContext& with, Id conversation, FindingList& out) {
  ModelNames models;
  WEFT_TRY_VALUE(StatedRequests computed, read_usage_thoughts(with, conversation, models));
  StatedRequests stored;
  Status status;
  {
    Rows row = with.database.query(
        "SELECT pages, unopened, clear, metadata, content FROM requests WHERE conversation = ?",
        conversation);
    if (row.next()) {
      status = read_request_row(with.database, with.keyring, conversation, row, 0, models, stored);
    }
    if (status) status = row.status();
  }
  if (!status && status.error().code != ErrorCode::corrupt) return status;
  // Another keyring opens what that of the row's writer did not.
  if (stored.unopened > 0) return {};
  for (std::size_t i = 0; status && i < kPortions; ++i) {
    if (stored.is_closed[i]) continue;
    merge_statements(stored.portions[i], models);
    merge_statements(computed.portions[i], models);
    if (stored.portions[i] == computed.portions[i]) continue;
    status = fail(ErrorCode::corrupt, "requests differ");
  }
  if (status) status = check_sums(with, conversation);
  if (!status && status.error().code != ErrorCode::corrupt) return status;
  if (!status) {
    out.add(kRequests, "the requests of this conversation are not those of its usage thoughts",
            conversation);
  }
  return {};
}

}  // namespace

Result<std::vector<Id>> usage_ids(const Database& database, Id conversation) {
  std::vector<Id> ids;
  Rows rows = database.query(
      "SELECT thoughts.id FROM effects JOIN thoughts ON thoughts.id = thought "
      "WHERE cause = ?1 AND created_by = (SELECT created_by FROM thoughts WHERE id = ?1) AND "
      "type IN (SELECT id FROM words WHERE text LIKE '%/usage') ORDER BY thoughts.id",
      conversation);
  while (rows.next()) ids.push_back(rows.integer(0));
  WEFT_TRY(rows.status());
  return ids;
}

Result<StatedRequests> read_usage_thoughts(LateContext& with, Id conversation, ModelNames& models) {
  StatedRequests found;
  WEFT_TRY_VALUE(const auto ids, usage_ids(with.database, conversation));
  for (const Id id : ids) {
    WEFT_TRY_VALUE(const auto usage, find_stored(with, id));
    if (usage) add_usage_thought(usage->thought, with.keyring, models, found);
  }
  return found;
}

Status read_request_row(const Database& database, const crypto::Keyring* keyring, Id conversation,
                        const Rows& row, int column, ModelNames& models, StatedRequests& out) {
  for (auto& portion : out.portions) portion.clear();
  out.is_closed = {};
  out.unopened = row.integer(column + 1);
  out.is_merged = row.integer(column) == 0;
  if (row.integer(column) > 0) {
    Rows pages = database.query(
        "SELECT page, clear, metadata, content FROM request_pages WHERE conversation = ? "
        "ORDER BY page",
        conversation);
    while (pages.next()) {
      const RowSeal seal(keyring, "request_pages", conversation, pages.integer(0));
      WEFT_TRY(open_requests(seal, pages, 1, models, out));
    }
    WEFT_TRY(pages.status());
  }
  const RowSeal seal(keyring, kRequests, conversation);
  return open_requests(seal, row, column + 2, models, out);
}

Result<bool> read_request_sums(const crypto::Keyring* keyring, Id conversation, const Rows& row,
                               int column, ModelNames& models, RequestSums& out) {
  // One after another into the same: nobody asks which portion states a request.
  std::array<RequestSums, kPortions> portions;
  std::array<bool, kPortions> is_closed{};
  std::swap(portions[0], out);
  Status opened = open_sums(keyring, conversation, row, column, models, portions, is_closed);
  std::swap(portions[0], out);
  if (!opened) return fail(std::move(opened).error());
  for (std::size_t i = 1; i < kPortions; ++i) {
    std::ranges::copy(portions[i].names, std::back_inserter(out.names));
    std::ranges::copy(portions[i].sums, std::back_inserter(out.sums));
  }
  return std::ranges::find(is_closed, true) == is_closed.end();
}

const LateTable& request_table() {
  static const LateTable table = {
      .name = kRequests,
      .version = 2,
      .tables = {"requests", "request_pages", "request_sums"},
      .has_row = "SELECT CAST(EXISTS (SELECT 1 FROM requests WHERE conversation = ?) AS INTEGER)",
      .missing =
          "SELECT id, blocks FROM conversations WHERE NOT EXISTS "
          "(SELECT 1 FROM requests WHERE conversation = conversations.id) "
          "ORDER BY touched DESC LIMIT 256",
      .count = "SELECT count(*) FROM requests",
      .clear = "DELETE FROM requests",
      .fill = fill_requests,
      .add = add_requests,
      .remove = remove_requests,
      .check = check_requests};
  return table;
}

}  // namespace weft::store::sql

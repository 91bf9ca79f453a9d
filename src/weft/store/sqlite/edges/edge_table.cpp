#include "weft/store/sqlite/edges/edge_table.hpp"

#include <sqlite3.h>

#include <algorithm>
#include <new>
#include <optional>
#include <vector>

#include "weft/sqlite/error.hpp"
#include "weft/store/sqlite/edges/paged_edges.hpp"

namespace weft::store::sql {
namespace {

constexpr const char* kColumns =
    "CREATE TABLE connections (id INTEGER NOT NULL, relation INTEGER NOT NULL, "
    "from_id INTEGER NOT NULL, to_id INTEGER NOT NULL, label INTEGER, position INTEGER, "
    "created_by INTEGER NOT NULL, created_at INTEGER NOT NULL, signature BLOB NOT NULL)";
enum Column { id, relation, from_id, to_id, label, position, created_by, created_at, signature };
constexpr int kRowId = -1;

// What a plan uses, as bits of its number. Arguments come in this order.
constexpr int kFrom = 1, kTo = 2, kExactId = 4, kLow = 8, kHigh = 16, kDescending = 32;

struct Table : sqlite3_vtab {
  explicit Table(sqlite3* handle) : sqlite3_vtab(), database(handle), edges(handle) {}
  sqlite3* database;
  PagedEdges edges;
};

struct Cursor : sqlite3_vtab_cursor {
  Cursor() : sqlite3_vtab_cursor() {}
  std::optional<Edges::Walk> walk;
  std::vector<Edge> page;
  std::size_t at = 0;  // beyond `page` at the end
};

int report(sqlite3_vtab* table, const Error& error) {
  sqlite3_free(table->zErrMsg);
  table->zErrMsg = sqlite3_mprintf("%s", error.message.c_str());
  if (error.code == ErrorCode::corrupt) return SQLITE_CORRUPT_VTAB;
  // What SQLite said of the statement that failed, a full disk say, is what is to be said.
  const int code = sqlite3_extended_errcode(static_cast<Table*>(table)->database);
  const bool is_failure = code != SQLITE_OK && code != SQLITE_ROW && code != SQLITE_DONE;
  return is_failure ? code : SQLITE_ERROR;
}

// SQLite is written in C: no exception may pass through it.
template <class Work>
int guarded(const Work& work) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return SQLITE_NOMEM;
  }
}

int connect(sqlite3* database, void*, int, const char* const*, sqlite3_vtab** out, char**) {
  if (const int code = sqlite3_declare_vtab(database, kColumns); code != SQLITE_OK) return code;
  return guarded([&] {
    *out = new Table(database);
    return SQLITE_OK;
  });
}

int disconnect(sqlite3_vtab* table) {
  delete static_cast<Table*>(table);
  return SQLITE_OK;
}

// --- choosing how to look ------------------------------------------------------------------

struct Choice {
  int from = -1, to = -1, exact = -1, low = -1, high = -1;  // which constraint, if any
};

Choice choose(sqlite3_index_info* info) {
  Choice choice;
  for (int i = 0; i < info->nConstraint; ++i) {
    const auto& constraint = info->aConstraint[i];
    if (constraint.usable == 0) continue;
    const bool equals = constraint.op == SQLITE_INDEX_CONSTRAINT_EQ;
    // Not one look for each of many values: `IN (SELECT id FROM conversations)` is a check.
    const bool is_one = equals && sqlite3_vtab_in(info, i, -1) == 0;
    switch (constraint.iColumn) {
      case from_id:
        if (is_one) choice.from = i;
        break;
      case to_id:
        if (is_one) choice.to = i;
        break;
      case kRowId:
      case id:
        switch (constraint.op) {
          case SQLITE_INDEX_CONSTRAINT_EQ: choice.exact = i; break;
          case SQLITE_INDEX_CONSTRAINT_GT:
          case SQLITE_INDEX_CONSTRAINT_GE: choice.low = i; break;
          case SQLITE_INDEX_CONSTRAINT_LT:
          case SQLITE_INDEX_CONSTRAINT_LE: choice.high = i; break;
          default: break;
        }
        break;
      default: break;
    }
  }
  return choice;
}

// Only which way is the quickest counts, not by how much.
void estimate(sqlite3_index_info* info, int plan) {
  const bool has_end = (plan & (kFrom | kTo)) != 0;
  const bool has_range = (plan & (kLow | kHigh)) == (kLow | kHigh);
  info->estimatedRows = 1'000'000;
  if ((plan & kExactId) != 0) info->estimatedRows = 1;
  else if (has_end) info->estimatedRows = 10;
  else if (has_range) info->estimatedRows = 1'000;
  info->estimatedCost = 4 * static_cast<double>(info->estimatedRows);
}

// SQLite checks again what it asked for, so a plan may give too much.
int best_index(sqlite3_vtab*, sqlite3_index_info* info) {
  const Choice choice = choose(info);
  int plan = 0, arguments = 0;
  const auto use = [&](int constraint, int bit) {
    if (constraint < 0) return;
    info->aConstraintUsage[constraint].argvIndex = ++arguments;
    plan |= bit;
  };
  use(choice.from, kFrom);
  use(choice.to, kTo);
  use(choice.exact, kExactId);
  use(choice.low, kLow);
  use(choice.high, kHigh);
  const bool by_id = info->nOrderBy == 1 &&
                     (info->aOrderBy[0].iColumn == id || info->aOrderBy[0].iColumn == kRowId);
  if (by_id) {
    info->orderByConsumed = 1;
    if (info->aOrderBy[0].desc != 0) plan |= kDescending;
  }
  info->idxNum = plan;
  estimate(info, plan);
  return SQLITE_OK;
}

WantedEdges to_wanted(int plan, sqlite3_value** arguments) {
  WantedEdges wanted{.descending = (plan & kDescending) != 0};
  const auto take = [&]() -> Id { return sqlite3_value_int64(*arguments++); };
  if ((plan & kFrom) != 0) wanted.from = take();
  if ((plan & kTo) != 0) wanted.to = take();
  if ((plan & kExactId) != 0) wanted.low = wanted.high = take();
  if ((plan & kLow) != 0) wanted.low = std::max(wanted.low, take());
  if ((plan & kHigh) != 0) wanted.high = std::min(wanted.high, take());
  return wanted;
}

// --- reading -------------------------------------------------------------------------------

int open(sqlite3_vtab*, sqlite3_vtab_cursor** out) {
  return guarded([&] {
    *out = new Cursor();
    return SQLITE_OK;
  });
}

int close(sqlite3_vtab_cursor* cursor) {
  delete static_cast<Cursor*>(cursor);
  return SQLITE_OK;
}

int turn_page(Cursor& cursor) {
  cursor.at = 0;
  Result<bool> more = cursor.walk->next(cursor.page);
  if (more) return SQLITE_OK;
  cursor.page.clear();
  return report(cursor.pVtab, more.error());
}

int filter(sqlite3_vtab_cursor* base, int plan, const char*, int, sqlite3_value** arguments) {
  return guarded([&] {
    auto& cursor = *static_cast<Cursor*>(base);
    cursor.walk.emplace(static_cast<Table*>(cursor.pVtab)->edges, to_wanted(plan, arguments));
    return turn_page(cursor);
  });
}

int next(sqlite3_vtab_cursor* base) {
  return guarded([&] {
    auto& cursor = *static_cast<Cursor*>(base);
    return ++cursor.at < cursor.page.size() ? SQLITE_OK : turn_page(cursor);
  });
}

int at_end(sqlite3_vtab_cursor* base) {
  const auto& cursor = *static_cast<Cursor*>(base);
  return cursor.at >= cursor.page.size() ? 1 : 0;
}

void tell(sqlite3_context* context, const std::optional<std::int64_t>& value) {
  if (value) sqlite3_result_int64(context, *value);
  else sqlite3_result_null(context);
}

int column(sqlite3_vtab_cursor* base, sqlite3_context* context, int number) {
  const auto& cursor = *static_cast<Cursor*>(base);
  const Edge& edge = cursor.page[cursor.at];
  switch (static_cast<Column>(number)) {
    case id: tell(context, edge.id); break;
    case relation: tell(context, edge.relation); break;
    case from_id: tell(context, edge.from); break;
    case to_id: tell(context, edge.to); break;
    case label: tell(context, edge.label); break;
    case position: tell(context, edge.position); break;
    case created_by: tell(context, edge.created_by); break;
    case created_at: tell(context, edge.created_at); break;
    case signature:
      sqlite3_result_blob64(context, edge.signature.data(), edge.signature.size(),
                            SQLITE_TRANSIENT);
      break;
  }
  return SQLITE_OK;
}

int row_id(sqlite3_vtab_cursor* base, sqlite3_int64* out) {
  const auto& cursor = *static_cast<Cursor*>(base);
  *out = cursor.page[cursor.at].id;
  return SQLITE_OK;
}

// --- changing ------------------------------------------------------------------------------

std::optional<std::int64_t> find_integer(sqlite3_value* value) {
  if (sqlite3_value_type(value) == SQLITE_NULL) return std::nullopt;
  return sqlite3_value_int64(value);
}

Edge to_edge(Id row, sqlite3_value** columns) {
  const auto* bytes = static_cast<const char*>(sqlite3_value_blob(columns[signature]));
  const auto size = static_cast<std::size_t>(sqlite3_value_bytes(columns[signature]));
  return {.id = row,
          .relation = sqlite3_value_int64(columns[relation]),
          .from = sqlite3_value_int64(columns[from_id]),
          .to = sqlite3_value_int64(columns[to_id]),
          .label = find_integer(columns[label]),
          .position = find_integer(columns[position]),
          .created_by = sqlite3_value_int64(columns[created_by]),
          .created_at = sqlite3_value_int64(columns[created_at]),
          .signature = bytes == nullptr ? "" : std::string(bytes, size)};
}

// Of one value: delete that row. Of more: the row and its new number, then its columns.
int update(sqlite3_vtab* base, int count, sqlite3_value** values, sqlite3_int64*) {
  return guarded([&] {
    Edges& edges = static_cast<Table*>(base)->edges;
    if (sqlite3_value_type(values[0]) == SQLITE_NULL) {
      return report(base, {ErrorCode::internal, "connections are added by Edges::add"});
    }
    const Id row = sqlite3_value_int64(values[0]);
    if (count > 1 && (sqlite3_value_int64(values[1]) != row ||
                      sqlite3_value_int64(values[2 + Column::id]) != row)) {
      return report(base, {ErrorCode::internal, "a connection keeps its id"});
    }
    const Status status =
        count == 1 ? edges.remove({&row, 1}) : edges.change(to_edge(row, values + 2));
    return status ? SQLITE_OK : report(base, status.error());
  });
}

constexpr sqlite3_module kModule = {
    .iVersion = 0,
    .xCreate = nullptr,  // there without being made
    .xConnect = connect,
    .xBestIndex = best_index,
    .xDisconnect = disconnect,
    .xDestroy = nullptr,
    .xOpen = open,
    .xClose = close,
    .xFilter = filter,
    .xNext = next,
    .xEof = at_end,
    .xColumn = column,
    .xRowid = row_id,
    .xUpdate = update,
    .xBegin = nullptr,
    .xSync = nullptr,
    .xCommit = nullptr,
    .xRollback = nullptr,
    .xFindFunction = nullptr,
    .xRename = nullptr,
    .xSavepoint = nullptr,
    .xRelease = nullptr,
    .xRollbackTo = nullptr,
    .xShadowName = nullptr,
};

}  // namespace

Status install_edges(sqlite3* database) {
  const int code = sqlite3_create_module_v2(database, "connections", &kModule, nullptr, nullptr);
  if (code != SQLITE_OK) return fail(sqlite::to_error(code, "preparing connections"));
  return {};
}

}  // namespace weft::store::sql

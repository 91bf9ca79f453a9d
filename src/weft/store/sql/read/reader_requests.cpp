// The model requests of conversations: from their rows, or computed where one is missing.
#include <algorithm>
#include <numeric>

#include "weft/base/try.hpp"
#include "weft/store/sql/read/reader.hpp"
#include "weft/store/sqlite/late/request_table.hpp"

namespace weft::store::sql {
namespace {

void set_requests(ConversationRequests& out, StatedRequests stated, const ModelNames& models) {
  out.is_sealed = stated.unopened > 0;
  bool is_merged = stated.is_merged;
  for (std::size_t i = 0; i < kPortions; ++i) {
    out.is_sealed = out.is_sealed || stated.is_closed[i];
    if (out.requests.empty()) {
      out.requests = std::move(stated.portions[i]);
    } else if (!stated.portions[i].empty()) {
      std::ranges::copy(stated.portions[i], std::back_inserter(out.requests));
      is_merged = false;
    }
  }
  if (!is_merged) merge_statements(out.requests, models);
}

}  // namespace

Result<RequestTable> Reader::requests(const RequestsRequest& request) {
  RequestTable out;
  std::vector<Id> ids;
  {
    sqlite::Rows rows = database_.query(
        "SELECT talk.id, cid, format, session_id, talk.source, talk.created_at, turns, blocks, "
        "thoughts, adopted, thoughts.created_by FROM conversations talk "
        "JOIN names ON names.id = talk.id LEFT JOIN thoughts ON thoughts.id = talk.id "
        "WHERE (?1 IS NULL OR format = ?1) AND (?2 IS NULL OR session_id = ?2) "
        "ORDER BY touched DESC, talk.id DESC",
        request.filter.format, request.filter.session_id);
    while (rows.next()) {
      ids.push_back(rows.integer(0));
      WEFT_TRY_VALUE(out.conversations.emplace_back().row, to_listed_row(rows));
    }
    WEFT_TRY(rows.status());
  }
  if (ids.empty()) return out;
  out.rows.all = ids.size();
  std::vector<std::size_t> by_id(ids.size());
  std::iota(by_id.begin(), by_id.end(), std::size_t{0});
  std::ranges::sort(by_id, {}, [&](std::size_t i) { return ids[i]; });

  const Id first = ids[by_id.front()], last = ids[by_id.back()];
  WEFT_TRY_VALUE(const bool has_requests, has_late_table(database_, request_table()));
  TableCursor table =
      has_requests
          ? TableCursor(database_.query("SELECT conversation, pages, unopened, clear, metadata, "
                                        "content FROM requests WHERE conversation BETWEEN ? AND ? "
                                        "ORDER BY conversation",
                                        first, last))
          : TableCursor();
  WEFT_TRY_VALUE(TableCursor catalogue, open_catalogue(first, last));
  LateContext with = late(request.keyring);
  std::uint64_t done = 0;
  for (const std::size_t i : by_id) {
    ConversationRequests& one = out.conversations[i];
    bool was_there = table.find(ids[i]);
    StatedRequests stated;
    if (was_there) {
      WEFT_TRY_VALUE(
          stated, read_request_row(database_, request.keyring, ids[i], table.row(), 1, out.models));
    }
    // What the writer of the row could not open, this keyring may.
    if (!was_there || stated.unopened > 0) {
      WEFT_TRY_VALUE(stated, read_usage_thoughts(with, ids[i], out.models));
    }
    set_requests(one, std::move(stated), out.models);
    if (one.requests.empty()) {
      WEFT_TRY_VALUE(one.stated, read_usage(ids[i], request.keyring, catalogue, was_there));
    }
    out.rows.done += was_there ? 1 : 0;
    if (request.go_on && !request.go_on(++done, ids.size())) {
      return fail(ErrorCode::unavailable, "the answer was called off");
    }
  }
  WEFT_TRY(table.status());
  WEFT_TRY(catalogue.status());
  return out;
}

}  // namespace weft::store::sql

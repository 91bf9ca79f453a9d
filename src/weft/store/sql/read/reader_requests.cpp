// The model requests of conversations: from their rows, or computed where one is missing.
#include <algorithm>

#include "weft/base/try.hpp"
#include "weft/store/sql/read/reader.hpp"
#include "weft/store/sqlite/late/catalogue_table.hpp"
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
  WEFT_TRY_VALUE(auto listed, list_rows(request.filter));
  if (listed.empty()) return out;
  out.rows.all = listed.size();
  const Id first = listed.front().id, last = listed.back().id;
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
  std::vector<ConversationRequests> by_id(listed.size());
  for (std::size_t i = 0; i < listed.size(); ++i) {
    const Id id = listed[i].id;
    ConversationRequests& one = by_id[i];
    one.row = std::move(listed[i].row);
    std::optional<CatalogueNames> known;
    if (catalogue.find(id)) {
      WEFT_TRY_VALUE(known, read_catalogue_names(catalogue.row(), 1));
    }
    WEFT_TRY(name_row(id, known ? &*known : nullptr, one.row));
    bool was_there = table.find(id);
    StatedRequests stated;
    if (was_there) {
      WEFT_TRY_VALUE(stated,
                     read_request_row(database_, request.keyring, id, table.row(), 1, out.models));
    }
    // What the writer of the row could not open, this keyring may.
    if (!was_there || stated.unopened > 0) {
      WEFT_TRY_VALUE(stated, read_usage_thoughts(with, id, out.models));
    }
    set_requests(one, std::move(stated), out.models);
    if (one.requests.empty()) {
      WEFT_TRY_VALUE(one.stated, read_usage(id, request.keyring, catalogue, was_there));
    }
    out.rows.done += was_there ? 1 : 0;
    if (request.go_on && !request.go_on(++done, listed.size())) {
      return fail(ErrorCode::unavailable, "the answer was called off");
    }
  }
  WEFT_TRY(table.status());
  WEFT_TRY(catalogue.status());
  out.conversations.reserve(by_id.size());
  for (const std::size_t i : newest_first(listed)) {
    out.conversations.push_back(std::move(by_id[i]));
  }
  return out;
}

}  // namespace weft::store::sql

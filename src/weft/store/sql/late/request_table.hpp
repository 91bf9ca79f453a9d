// The late table `requests`: the model requests of each conversation, so that nobody reads its
// usage thoughts to add them up; and their sums (`request_sums`), so that hardly anybody reads all
// requests.
#pragma once

#include <array>

#include "weft/store/sql/late/late_table.hpp"
#include "weft/store/tables/request_list.hpp"
#include "weft/store/tables/request_sums.hpp"

namespace weft::store::sql {

const LateTable& request_table();

// The statements of a conversation's requests, by the layer that states them.
struct StatedRequests {
  std::array<std::vector<RequestEntry>, kPortions> portions{};
  std::array<bool, kPortions> is_closed{};  // which columns the keyring does not open
  std::int64_t unopened = 0;                // usage thoughts that it does not open
  bool is_merged = false;                   // each portion went through merge_statements()
};

// Its usage thoughts by its creator, in the order stored.
Result<std::vector<Id>> usage_ids(const Database& database, Id conversation);

// Computes them from the usage thoughts.
Result<StatedRequests> read_usage_thoughts(LateContext& with, Id conversation, ModelNames& models);
// Reads them from the columns of a row of `requests`: pages, unopened, clear, metadata, content,
// from `column` on, and from its pages. `out` gets nothing else, and keeps its memory.
Status read_request_row(const Database& database, const crypto::Keyring* keyring, Id conversation,
                        const Rows& row, int column, ModelNames& models, StatedRequests& out);

// Reads the sums of a page of requests, or of a row, from the columns of `request_sums`: page,
// clear, metadata, content, from `column` on. Appends to `out`. False if the keyring does not open
// all of them.
Result<bool> read_request_sums(const crypto::Keyring* keyring, Id conversation, const Rows& row,
                               int column, ModelNames& models, RequestSums& out);

}  // namespace weft::store::sql

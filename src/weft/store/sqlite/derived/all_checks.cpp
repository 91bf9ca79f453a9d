#include "weft/store/sqlite/derived/all_checks.hpp"

#include <array>

#include "weft/base/try.hpp"
#include "weft/store/sqlite/sums/table_sums.hpp"

namespace weft::store::sql {
namespace {

constexpr int kSum = -1;  // StoreCheck::kind of a sum; the others are indexes of recomputed()

const std::array kRecomputed = {
    Recomputed{CheckDepth::quick, check_file, nullptr},
    Recomputed{CheckDepth::full, check_fulltext, nullptr},
    Recomputed{CheckDepth::full, check_names, rebuild_names, {"name_pages", "name_runs"}},
    Recomputed{CheckDepth::quick, check_effects, rebuild_effects, {"effects"}},
    Recomputed{CheckDepth::quick, check_edge_ends, rebuild_edge_ends, {"edge_ends"}},
    Recomputed{CheckDepth::full, check_documents, nullptr},
    Recomputed{CheckDepth::quick, check_runs, rebuild_runs},
    Recomputed{CheckDepth::quick, check_log, rebuild_log},
    Recomputed{CheckDepth::quick, check_conversations, rebuild_conversations, {"conversations"}},
    Recomputed{CheckDepth::quick, check_tombstones, rebuild_tombstones, {"tombstones"}},
    Recomputed{CheckDepth::full,
               check_late,
               rebuild_late,
               {"late_tables", "catalogue", "tallies", "tally_days", "requests", "request_pages",
                "request_sums", "outlines", "outline_pages", "edits", "edit_pages", "edit_names",
                "secrets", "secret_pages"}}};

}  // namespace

std::span<const Recomputed> recomputed() { return kRecomputed; }

Result<std::vector<StoreCheck>> list_checks(const Database& database, CheckDepth depth) {
  std::vector<StoreCheck> checks;
  for (std::size_t i = 0; i < kRecomputed.size(); ++i) {
    if (kRecomputed[i].depth <= depth) checks.push_back({.kind = static_cast<int>(i)});
  }
  WEFT_TRY_VALUE(auto tables, summed_tables(database));
  for (std::string& table : tables) checks.push_back({.kind = kSum, .table = std::move(table)});
  checks.push_back({.kind = kSum, .table = "table_sums"});
  return checks;
}

Result<std::vector<StoreFinding>> run_check(Derivation& from, const StoreCheck& check) {
  FindingList out(from.database, from.words);
  Status status = check.kind == kSum
                      ? check_sum(from, check.table, out)
                      : kRecomputed.at(static_cast<std::size_t>(check.kind)).check(from, out);
  if (!status && status.error().code == ErrorCode::corrupt) {
    // A damaged table is an answer to the question.
    out.add(check.table.empty() ? "weft.db" : check.table, status.error().message);
    status = {};
  }
  if (!status) return fail(std::move(status).error());
  return out.take();
}

Result<std::vector<StoreFinding>> run_all_checks(
    Derivation& from, const std::function<void(std::uint64_t, std::uint64_t)>& progress) {
  std::vector<StoreFinding> all;
  WEFT_TRY_VALUE(const auto checks, list_checks(from.database, CheckDepth::full));
  std::uint64_t done = 0;
  for (const StoreCheck& check : checks) {
    WEFT_TRY_VALUE(auto found, run_check(from, check));
    all.insert(all.end(), std::make_move_iterator(found.begin()),
               std::make_move_iterator(found.end()));
    if (progress) progress(++done, checks.size());
  }
  return all;
}

}  // namespace weft::store::sql

#include "weft/store/sql/derived/all_checks.hpp"

#include <array>

#include "weft/base/try.hpp"
#include "weft/store/sql/sums/sums.hpp"

namespace weft::store::sql {
namespace {

constexpr int kSum = -1;  // StoreCheck::kind of a sum; the others are indexes of recomputed()

const std::array kRecomputed = {
    Recomputed{CheckDepth::full, check_names, rebuild_names, {"name_pages", "name_runs"}},
    Recomputed{CheckDepth::quick, check_effects, rebuild_effects, {"effects"}},
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

std::vector<Recomputed> recomputed(const Database& database) {
  const std::span<const Recomputed> own = database.backend().checks();
  std::vector<Recomputed> all(own.begin(), own.end());
  all.insert(all.end(), kRecomputed.begin(), kRecomputed.end());
  return all;
}

Result<std::vector<StoreCheck>> list_checks(const Database& database, CheckDepth depth) {
  std::vector<StoreCheck> checks;
  const std::vector<Recomputed> all = recomputed(database);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].depth <= depth) checks.push_back({.kind = static_cast<int>(i)});
  }
  WEFT_TRY_VALUE(auto tables, database.sums().tables());
  if (!tables.empty()) tables.emplace_back("table_sums");
  for (std::string& table : tables) checks.push_back({.kind = kSum, .table = std::move(table)});
  return checks;
}

Result<std::vector<StoreFinding>> run_check(Derivation& from, const StoreCheck& check) {
  FindingList out(from.database, from.words);
  Status status =
      check.kind == kSum
          ? check_sum(from, check.table, out)
          : recomputed(from.database).at(static_cast<std::size_t>(check.kind)).check(from, out);
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

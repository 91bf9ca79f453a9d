#include "weft/store/sql/mend/damage_scan.hpp"

#include <algorithm>
#include <mutex>

#include "weft/base/parallel_for.hpp"
#include "weft/base/try.hpp"
#include "weft/store/sql/mend/judge.hpp"

namespace weft::store::sql {
namespace {

constexpr std::int64_t kAtOnce = 1024;  // rows of a piece of work

Result<std::optional<Cid>> find_stored_name(const Database& database, Id id, bool& is_bad) {
  Rows row = database.query("SELECT cid FROM names WHERE id = ?", id);
  if (row.next()) {
    const Result<Cid> cid = to_cid(row.bytes(0));
    is_bad = !cid;
    if (cid) return *cid;
    return std::nullopt;
  }
  WEFT_TRY(row.status());
  return std::nullopt;
}

// Ids of a table, in order, as the limits of pieces of work.
Result<std::vector<Id>> limits_of(Rows rows) {
  std::vector<Id> limits;
  while (rows.next()) limits.push_back(rows.integer(0));
  WEFT_TRY(rows.status());
  return limits;
}

class Scan {
 public:
  Scan(Reader& reader, const crypto::Keyring* keyring) : reader_(reader), judge_(reader, keyring) {}

  Status thoughts(Id first, Suspects& suspects) {
    Rows rows = reader_.database().query("SELECT * FROM thoughts WHERE id >= ? ORDER BY id LIMIT ?",
                                         first, kAtOnce);
    while (rows.next()) {
      const ThoughtColumns columns = ThoughtColumns::of(rows);
      bool is_bad = false;
      WEFT_TRY_VALUE(auto name, find_stored_name(reader_.database(), columns.id, is_bad));
      if (!name || judge_.judge(columns, *name).flaw != Flaw::none) {
        suspects.thoughts.push_back(columns.id);
      }
    }
    return rows.status();
  }

  Status pages(Id first, Suspects& suspects) {
    Rows rows = reader_.database().query(
        "SELECT first, edges FROM edge_pages WHERE first >= ? ORDER BY first LIMIT ?", first,
        kPagesAtOnce);
    while (rows.next()) {
      WEFT_TRY_VALUE(auto holds, holds_page(rows.integer(0), rows.bytes(1)));
      if (!holds) suspects.pages.push_back(rows.integer(0));
    }
    return rows.status();
  }

  Status checkpoint(Id id, Suspects& suspects) {
    if (judge_.tree_state(id) == TreeState::damaged) suspects.checkpoints.push_back(id);
    return {};
  }

  static constexpr std::int64_t kPagesAtOnce = 16;

 private:
  Result<bool> holds_page(Id first, std::string_view bytes) {
    if (!unpack_edges(bytes, first, edges_)) return false;
    for (const Edge& edge : edges_) {
      bool is_bad = false;
      WEFT_TRY_VALUE(auto name, find_stored_name(reader_.database(), edge.id, is_bad));
      if (is_bad || judge_.judge(edge, name).flaw != Flaw::none) return false;
    }
    return true;
  }

  Reader& reader_;
  Judge judge_;
  std::vector<Edge> edges_;
};

struct Work {
  enum class Kind { thoughts, pages, checkpoint } kind;
  Id first = 0;
};

Result<std::vector<Work>> all_work(Reader& reader) {
  std::vector<Work> work;
  WEFT_TRY_VALUE(const auto thoughts,
                 limits_of(reader.database().query(
                     "SELECT id FROM (SELECT id, row_number() OVER (ORDER BY id) AS number "
                     "FROM thoughts) AS numbered WHERE number % ? = 1",
                     kAtOnce)));
  for (const Id id : thoughts) work.push_back({Work::Kind::thoughts, id});
  WEFT_TRY_VALUE(const auto pages,
                 limits_of(reader.database().query(
                     "SELECT first FROM (SELECT first, row_number() OVER (ORDER BY first) AS "
                     "number FROM edge_pages) AS numbered WHERE number % ? = 1",
                     Scan::kPagesAtOnce)));
  for (const Id first : pages) work.push_back({Work::Kind::pages, first});
  WEFT_TRY_VALUE(const auto checkpoints,
                 limits_of(reader.database().query(
                     "SELECT id FROM checkpoints WHERE leaves IS NOT NULL ORDER BY id")));
  for (const Id id : checkpoints) work.push_back({Work::Kind::checkpoint, id});
  return work;
}

}  // namespace

Result<Suspects> find_damage(Readers& readers, const crypto::Keyring* keyring, unsigned threads) {
  const unsigned used = std::max(1u, threads);
  std::vector<Readers::Lease> leases;
  std::vector<Scan> scans;
  for (unsigned i = 0; i < used; ++i) {
    WEFT_TRY_VALUE(auto lease, readers.take());
    scans.emplace_back(*lease.operator->(), keyring);
    leases.push_back(std::move(lease));
  }
  WEFT_TRY_VALUE(const auto work, all_work(*leases.front().operator->()));
  std::vector<Suspects> found(used);
  std::mutex mutex;
  Status failure;  // guarded by mutex
  parallel_for(work.size(), used, [&](unsigned thread, std::size_t i) {
    Scan& scan = scans[thread];
    const auto& [kind, first] = work[i];
    Status status = kind == Work::Kind::thoughts ? scan.thoughts(first, found[thread])
                    : kind == Work::Kind::pages  ? scan.pages(first, found[thread])
                                                 : scan.checkpoint(first, found[thread]);
    const std::lock_guard lock(mutex);
    if (failure) failure = std::move(status);
  });
  if (!failure) return fail(std::move(failure).error());
  Suspects all;
  for (Suspects& some : found) {
    for (const auto list : {&Suspects::thoughts, &Suspects::pages, &Suspects::checkpoints}) {
      (all.*list).insert((all.*list).end(), (some.*list).begin(), (some.*list).end());
    }
  }
  for (const auto list : {&Suspects::thoughts, &Suspects::pages, &Suspects::checkpoints}) {
    std::ranges::sort(all.*list);
  }
  return all;
}

}  // namespace weft::store::sql

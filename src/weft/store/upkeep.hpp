// Upkeep: what one process does for a web on a server, whose users only add to it and ask: the
// keeper. It merges the search index, looks at what is new, and removes what was forgotten.
//
//   WEFT_TRY_VALUE(const auto upkeep, open_upkeep(*url.server()));
//   WEFT_TRY_VALUE(const bool is_keeper, upkeep->hold("ab12…", 15s, report));
//   if (is_keeper) WEFT_TRY_VALUE(const bool more, upkeep->merge());
//
// Who is the keeper stands in a row of the table `keeper`, for a limited time by the server's
// clock: a keeper that died has no say afterwards, and no transaction stays open, which would keep
// the server from removing old rows. Two that take themselves for the keeper do double work and no
// harm, because each piece of work is a transaction that locks what it changes.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/base/result.hpp"
#include "weft/base/time.hpp"
#include "weft/postgres/url.hpp"
#include "weft/store/audit.hpp"

namespace weft::store {

// What the keeper left for others to read.
struct KeeperNote {
  std::string holder;       // random; of no meaning to others
  bool is_current = false;  // its time is not over
  std::string report;       // JSON, without text of any thought (keep/keeper.hpp)
};

// How far somebody looked at what was added.
struct AddedMark {
  std::int64_t row = 0;  // the newest id
  std::int64_t log = 0;  // the newest place in the log of checkpoints
  friend bool operator==(const AddedMark&, const AddedMark&) = default;
};

struct Added {
  std::vector<ScanRange> ranges{};  // what Audit::inspect() reads
  AddedMark mark{};                 // behind them
  std::uint64_t behind = 0;         // rows after the mark
};

// One connection to the web. For one thread at a time. Every method may fail as unavailable.
class Upkeep {
 public:
  virtual ~Upkeep() = default;

  // Makes `holder` the keeper for this time from now, or prolongs its time, unless another one is:
  // then false. `report` is what others read. denied if this role may not keep the web.
  [[nodiscard]] virtual Result<bool> hold(std::string_view holder, std::chrono::milliseconds time,
                                          std::string_view report) = 0;
  // Ends the time of `holder`, so that another one need not wait for it.
  virtual Status let_go(std::string_view holder) = 0;
  // The note of the last keeper; empty if there never was one.
  [[nodiscard]] virtual Result<std::optional<KeeperNote>> note() const = 0;

  // Does a piece of the merging of the search index that is due, about 50 ms long. Whether more is
  // due. Writers wait meanwhile.
  [[nodiscard]] virtual Result<bool> merge() = 0;
  // Has the server look at the tables anew, so that it plans questions well.
  [[nodiscard]] virtual Status analyze() = 0;

  // The rows after `mark`, the oldest first, at most `most` ranges. What was committed late, with
  // ids before the mark, is found by the log.
  [[nodiscard]] virtual Result<Added> added_since(const AddedMark& mark,
                                                  std::size_t most) const = 0;
  // The tombstones that stand in the web after this id, whether or not they were carried out, and
  // the newest id that was looked at.
  struct Tombstones {
    std::vector<Cid> cids{};
    std::int64_t newest = 0;
  };
  [[nodiscard]] virtual Result<Tombstones> tombstones_since(std::int64_t id) const = 0;
  // Whether something was removed whose bytes are still in the server's files: Forgetting::scrub()
  // rewrites them.
  [[nodiscard]] virtual Result<bool> is_wipe_due() const = 0;
};

// not_found if there is no web; other failures as of postgres::open_database.
[[nodiscard]] Result<std::unique_ptr<Upkeep>> open_upkeep(const postgres::Url& server);

}  // namespace weft::store

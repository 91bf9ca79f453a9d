// Name runs: the sorted runs behind name_index.hpp, and how they are read in order, merged and
// written. The id of a page is its run's number and its first hash.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "weft/store/sqlite/names/run_index.hpp"

namespace weft::store::sql {

struct NameRun {
  std::int64_t number = 0;  // a larger one is newer
  std::uint64_t names = 0;
};

inline Hash first_of(std::int64_t page) { return static_cast<Hash>(page); }
inline std::int64_t page_of(std::int64_t run, Hash first) { return run << 32 | first; }

// The newest first.
Result<std::vector<NameRun>> read_runs(const PlainDatabase& database);
// The number of newest runs that are merged with a new run of this size.
std::size_t runs_to_merge(std::span<const NameRun> newest_first, std::uint64_t names);
Status remove_run(const PlainDatabase& database, std::int64_t number);

// Reads several runs as one, a few pages of each at a time.
class RunMerge {
 public:
  explicit RunMerge(const PlainDatabase& database) : database_(database) {}
  // Begins with the first name whose hash is not smaller.
  Status add(std::int64_t run, Hash from);
  // Sorted; they outlive this.
  void add(std::span<const Name> names) { parts_.push_back({.names = names}); }
  // Visits names in order, until `visit` returns false.
  Status each(const std::function<bool(Name)>& visit);

 private:
  struct Part {
    std::span<const Name> names;       // not visited yet
    std::vector<Name> read{};          // what `names` points into
    std::int64_t page = 0, last = -1;  // to be read next, and at most
  };
  Status read_more(Part& part) const;

  const PlainDatabase& database_;
  std::vector<Part> parts_;
};

// Writes a run, page by page. Names come in order.
class RunWriter {
 public:
  RunWriter(const PlainDatabase& database, std::int64_t number)
      : database_(database), number_(number) {}
  Status add(Name name);
  // Completes the run; without it nothing is stored.
  Status finish();

 private:
  Status write_page();

  const PlainDatabase& database_;
  const std::int64_t number_;
  std::vector<Name> page_;
  std::int64_t names_ = 0;
};

}  // namespace weft::store::sql

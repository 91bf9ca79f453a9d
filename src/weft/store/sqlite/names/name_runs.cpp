#include "weft/store/sqlite/names/name_runs.hpp"

#include <algorithm>
#include <bit>

#include "weft/base/try.hpp"

namespace weft::store::sql {
namespace {

// About 700 bytes: looking for one name reads half of them in every run.
constexpr std::size_t kPageNames = 128;
constexpr std::int64_t kPagesAtOnce = 32;
// Runs below this are merged whenever another comes: following a conversation line by line
// makes many.
constexpr std::uint64_t kSmallRun = 4096;
// So many runs of one size become one of the next. Fewer would write names more often, more
// would leave more runs to look into.
constexpr std::size_t kRunsOfOneSize = 4;

std::uint64_t size_class(std::uint64_t names) {
  return names < kSmallRun ? 0 : 1 + (std::bit_width(names / kSmallRun) - 1) / 2;
}

}  // namespace

Result<std::vector<NameRun>> read_runs(const PlainDatabase& database) {
  std::vector<NameRun> runs;
  Rows rows = database.query("SELECT run, names FROM name_runs ORDER BY run DESC");
  while (rows.next()) {
    runs.push_back({rows.integer(0), static_cast<std::uint64_t>(rows.integer(1))});
  }
  WEFT_TRY(rows.status());
  return runs;
}

std::size_t runs_to_merge(std::span<const NameRun> newest_first, std::uint64_t names) {
  std::size_t merged = 0;
  while (true) {
    const std::uint64_t size = size_class(names);
    std::size_t alike = 0;
    std::uint64_t more = 0;
    for (const NameRun& run : newest_first.subspan(merged)) {
      if (size_class(run.names) > size) break;
      ++alike;
      more += run.names;
    }
    const bool is_due = size == 0 ? alike > 0 : alike + 1 >= kRunsOfOneSize;
    if (!is_due) return merged;
    merged += alike;
    names += more;
  }
}

Status remove_run(const PlainDatabase& database, std::int64_t number) {
  Status status = database.run("DELETE FROM name_pages WHERE id BETWEEN ? AND ?",
                               page_of(number, 0), page_of(number, ~Hash{0}));
  if (status) status = database.run("DELETE FROM name_runs WHERE run = ?", number);
  return status;
}

Status RunMerge::add(std::int64_t run, Hash from) {
  Rows rows = database_.query("SELECT max(id) FROM name_pages WHERE id BETWEEN ? AND ?",
                              page_of(run, 0), page_of(run, from));
  std::optional<std::int64_t> page;
  if (rows.next()) page = rows.find_integer(0);
  WEFT_TRY(rows.status());
  Part part{.names = {}, .page = page.value_or(page_of(run, from)), .last = page_of(run, ~Hash{0})};
  WEFT_TRY(read_more(part));
  const auto first = std::ranges::lower_bound(part.names, from, {}, &Name::hash);
  part.names = part.names.subspan(static_cast<std::size_t>(first - part.names.begin()));
  parts_.push_back(std::move(part));  // what was read moves along, and stays where it is
  return {};
}

Status RunMerge::read_more(Part& part) const {
  part.read.clear();
  Rows rows = database_.query(
      "SELECT id, names FROM name_pages WHERE id BETWEEN ? AND ? ORDER BY id LIMIT ?", part.page,
      part.last, kPagesAtOnce);
  part.page = part.last + 1;
  while (rows.next()) {
    const std::int64_t id = rows.integer(0);
    WEFT_TRY_VALUE(auto names, unpack_names(rows.bytes(1), first_of(id)));
    part.read.insert(part.read.end(), names.begin(), names.end());
    part.page = id + 1;
  }
  part.names = part.read;
  return rows.status();
}

Status RunMerge::each(const std::function<bool(Name)>& visit) {
  while (true) {
    Part* least = nullptr;
    for (Part& part : parts_) {
      // A page may have lost all its names.
      while (part.names.empty() && part.page <= part.last) {
        WEFT_TRY(read_more(part));
      }
      if (part.names.empty()) continue;
      if (least == nullptr || part.names.front() < least->names.front()) least = &part;
    }
    if (least == nullptr) return {};
    const Name name = least->names.front();
    least->names = least->names.subspan(1);
    if (!visit(name)) return {};
  }
}

// Names that share a hash stay on one page, so that looking for it reads one.
Status RunWriter::add(Name name) {
  if (page_.size() >= kPageNames && page_.back().hash != name.hash) {
    WEFT_TRY(write_page());
  }
  page_.push_back(name);
  return {};
}

Status RunWriter::write_page() {
  const Hash first = page_.front().hash;
  const std::string packed = pack_names(page_, first);
  names_ += static_cast<std::int64_t>(page_.size());
  page_.clear();
  return database_.run("INSERT INTO name_pages (id, names) VALUES (?, ?)", page_of(number_, first),
                       Blob{packed});
}

Status RunWriter::finish() {
  if (!page_.empty()) {
    WEFT_TRY(write_page());
  }
  if (names_ == 0) return {};
  return database_.run("INSERT INTO name_runs (run, names) VALUES (?, ?)", number_, names_);
}

}  // namespace weft::store::sql

#include "weft/store/sql/derived/finding_list.hpp"

#include <algorithm>

namespace weft::store::sql {
namespace {

constexpr std::uint64_t kShown = 50;  // of a table: a table that was emptied has millions

}  // namespace

void FindingList::add(std::string_view table, std::string what, std::optional<Id> about,
                      std::string_view cure) {
  const auto count = counts_.try_emplace(std::string(table)).first;
  if (++count->second > kShown) return;
  StoreFinding finding{
      .table = std::string(table), .what = std::move(what), .cure = std::string(cure)};
  if (about) {
    if (const Result<Cid> cid = get_cid(database_, words_, *about)) finding.about = *cid;
  }
  found_.push_back(std::move(finding));
}

std::vector<StoreFinding> FindingList::take() {
  std::ranges::sort(found_);
  for (const auto& [table, count] : counts_) {
    if (count <= kShown) continue;
    found_.push_back({.table = table,
                      .what = "and " + std::to_string(count - kShown) + " more",
                      .cure = std::string(kRepair)});
  }
  counts_.clear();
  return std::move(found_);
}

}  // namespace weft::store::sql

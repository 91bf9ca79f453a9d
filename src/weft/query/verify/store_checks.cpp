#include "weft/query/verify/store_checks.hpp"

#include <algorithm>
#include <iterator>

#include "weft/base/try.hpp"

namespace weft::query {

Result<std::unique_ptr<StoreChecks>> StoreChecks::prepare(
    const store::Store& store, const crypto::Keyring* keyring, store::CheckDepth depth,
    const std::vector<FurtherCheck>& further) {
  std::unique_ptr<StoreChecks> checks(new StoreChecks(store, keyring, further));
  WEFT_TRY_VALUE(checks->checks_, store.derived().checks(depth));
  WEFT_TRY_VALUE(checks->has_sums_, store.derived().has_sums());
  return checks;
}

void StoreChecks::run(std::size_t index) {
  Result<std::vector<store::StoreFinding>> found =
      index < checks_.size() ? store_.derived().run(checks_[index], keyring_)
                             : further_[index - checks_.size()]();
  const std::lock_guard lock(mutex_);
  if (!found) {
    if (status_) status_ = fail(std::move(found).error());
    return;
  }
  std::ranges::move(*found, std::back_inserter(found_));
}

json::array StoreChecks::findings() {
  std::ranges::sort(found_);
  json::array out;
  for (const store::StoreFinding& finding : found_) {
    json::object entry{{"table", finding.table}, {"what", finding.what}};
    if (finding.about) entry["cid"] = finding.about->str();
    entry["cure"] = finding.cure;
    out.push_back(std::move(entry));
  }
  return out;
}

json::array StoreChecks::notes() const {
  if (has_sums_) return {};
  return {
      json::string("not every table has a sum: a removed row of marks, places, waits, sources or "
                   "forgotten names may go unnoticed; in a file weft repair and the next commits "
                   "complete them, a server keeps none")};
}

}  // namespace weft::query

// scan(): everything in a store, read through Audit, for tests that look at a store as a whole.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "weft/store/store.hpp"

namespace weft::store {

struct Scan {
  std::vector<thought::Thought> thoughts{};  // without connections, and without tree paths
  std::vector<std::pair<Cid, thought::Connection>> connections{};
  std::vector<Cid> dangling{};
  std::vector<std::pair<Cid, std::string>> broken{};  // and the reason
  Status status{};                                    // of the scan itself
};

inline Scan scan(const Store& store) {
  Scan all;
  const Inspector inspector{
      .thought =
          [&](const CanonicalThought& found) {
            Result<thought::Thought> whole = store.get_without_path(found.thought.cid);
            if (whole) all.thoughts.push_back(*std::move(whole));
            else all.broken.emplace_back(found.thought.cid, whole.error().message);
          },
      .connection =
          [&](const std::optional<Cid>& name, const thought::Connection& connection) {
            all.connections.emplace_back(name ? *name : cid_of(connection), connection);
          },
      .dangling = [&](const Cid& name) { all.dangling.push_back(name); },
      .broken = [&](const Cid& name,
                    const std::string& reason) { all.broken.emplace_back(name, reason); }};
  const Result<std::vector<ScanRange>> ranges = store.audit().scan_ranges();
  if (!ranges) all.status = fail(ranges.error());
  for (const ScanRange& range : ranges.value_or(std::vector<ScanRange>())) {
    if (all.status) all.status = store.audit().inspect(range, inspector);
  }
  return all;
}

}  // namespace weft::store

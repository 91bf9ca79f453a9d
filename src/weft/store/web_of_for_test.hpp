// web_of(): the names of all thoughts and connections except checkpoints and facts: the web as it
// must be, however it was ingested.
#pragma once

#include <gtest/gtest.h>

#include <set>

#include "weft/store/scan_for_test.hpp"

namespace weft::store {

inline std::set<Cid> web_of(const Store& store) {
  std::set<Cid> cids;
  const Scan all = scan(store);
  EXPECT_TRUE(all.status) << all.status.error().message;
  for (const auto& [cid, reason] : all.broken) ADD_FAILURE() << cid.str() << ": " << reason;
  for (const thought::Thought& thought : all.thoughts) {
    const bool is_of_commit = thought.type == "checkpoint" ||
                              thought.type.ends_with("/conversation_facts") ||
                              thought.type.ends_with("/usage");
    if (!is_of_commit) cids.insert(thought.cid);
  }
  for (const auto& [cid, connection] : all.connections) cids.insert(cid);
  return cids;
}

}  // namespace weft::store

// The web as it must come out, however it was taken in: the names of all thoughts and connections
// but checkpoints and facts.
#pragma once

#include <gtest/gtest.h>

#include <set>
#include <tuple>

#include "weft/store/store.hpp"

namespace weft::store {

inline std::set<Cid> web_of(const Store& store) {
  std::set<Cid> cids;
  const auto broken = [](const Cid& cid, const std::string& reason) {
    ADD_FAILURE() << cid.str() << ": " << reason;
  };
  EXPECT_TRUE(store.each_thought(
      [&](const thought::Thought& thought) {
        const bool is_of_commit =
            thought.type == "checkpoint" || thought.type.ends_with("/conversation_facts");
        if (!is_of_commit) cids.insert(thought.cid);
        return true;
      },
      broken));
  EXPECT_TRUE(store.each_connection(
      [&](const Cid& name, const thought::Connection&) { return cids.insert(name), true; },
      broken));
  return cids;
}

}  // namespace weft::store

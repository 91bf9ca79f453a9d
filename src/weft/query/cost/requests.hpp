// Copies of model requests: finds them over several conversations, so that each counts once.
#pragma once

#include <cstdint>
#include <deque>
#include <string_view>
#include <vector>

#include "weft/store/tables/name_set.hpp"
#include "weft/store/tables/tables.hpp"

namespace weft::query {

// How copies are told from requests of their own.
enum class CopyRule {
  // A request that a fork or resumed session copied counts once, at its first holder: the oldest
  // conversation. So does one that a sidechain repeats under another request id.
  first_holder,
  // As ccusage does: copies are looked for within one session only.
  by_session,
};

//   CountedOnce counted(CopyRule::first_holder);
//   for (ConversationRequests& one : oldest_first) {
//     counted.sift(one);
//     count(one.requests);
//   }
//   for (const ConversationRequests& one : counted.take_rest()) count(one.requests);
class CountedOnce {
 public:
  explicit CountedOnce(CopyRule rule) : rule_(rule) {}

  // Removes requests that an earlier conversation has. Call it with the oldest conversation first;
  // within each, requests are in the order of their times.
  //
  // Sets aside what may repeat a request under another name: a sidechain does, and another
  // recording of the same session may leave the name of the request out. What it repeats may come
  // later.
  void sift(store::ConversationRequests& one);

  // What was set aside and repeats nothing, by conversation. Call it once, after all of them.
  std::vector<store::ConversationRequests> take_rest();

 private:
  // A number that names of one session have in them, if copies are looked for there alone.
  std::uint64_t scope_of(const store::ConversationRow& row) const;

  CopyRule rule_;
  store::NameMixer mix_;
  store::NameSet counted_;
  // Of what counted, each xor its scope. In a deque, which grows without a copy.
  std::deque<std::uint64_t> messages_;
  std::vector<store::ConversationRequests> aside_;
};

}  // namespace weft::query

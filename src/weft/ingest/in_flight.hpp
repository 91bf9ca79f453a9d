// What the web will know once the commits under way are through: the store's memory, and
// over it the batches that are still being signed and written.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <unordered_set>
#include <utility>

#include "weft/store/store.hpp"

namespace weft::ingest {

class InFlight : public thought::Memory {
 public:
  // `drain` waits until nothing is under way. Both outlive this.
  InFlight(const store::Store& store, std::function<void()> drain)
      : store_(store), drain_(std::move(drain)) {}

  // Part of a batch sets out; the batch arrives (or fails: then it is as if it had never
  // been).
  void set_out(std::uint64_t number, const thought::Woven& woven);
  void arrive(std::uint64_t number);

  bool has(const Cid& thought) const override;
  // Rare (a block restated): waits for what is under way.
  Result<thought::Thought> get(const Cid& thought) const override;
  std::optional<thought::KnownConversation> find_conversation(
      const transcript::Heading& heading) const override;
  std::optional<Cid> find_place(const Cid& conversation,
                                const thought::PlaceKey& key) const override;
  // Rare, as get() is.
  std::vector<thought::Connection> contents(const Cid& turn) const override;
  std::vector<Cid> holders(const Cid& block) const override;
  std::optional<thought::Mark> find_mark(const thought::PlaceKey& key) const override;
  std::vector<thought::Waiting> find_waiting(const thought::PlaceKey& key) const override;
  bool is_forgotten(const thought::PlaceKey& heading) const override;

 private:
  struct Cargo {
    std::unordered_set<Cid> names;
    std::map<std::pair<Cid, thought::PlaceKey>, Cid> places;
    std::map<thought::PlaceKey, thought::Mark> marks;
    std::set<thought::PlaceKey> waits;
  };
  // True from the second call on for one heading.
  bool met_before(const transcript::Heading& heading) const;

  const store::Store& store_;
  std::function<void()> drain_;
  mutable std::set<std::string> met_;  // headings; asked by the weaving thread alone
  mutable std::mutex mutex_;
  std::map<std::uint64_t, Cargo> under_way_;  // by number; guarded by mutex_
};

}  // namespace weft::ingest

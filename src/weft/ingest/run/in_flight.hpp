// What the web will know once the commits under way are through: the store's memory, and
// over it the batches that are still being signed and written.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "weft/store/store.hpp"

namespace weft::ingest {

class InFlight : public weave::KnownWeb {
 public:
  // `drain` waits until nothing is under way. Both outlive this.
  InFlight(const store::Store& store, std::function<void()> drain)
      : store_(store), drain_(std::move(drain)) {}

  // Part of a batch sets out; the batch arrives (or fails: then it is as if it had never
  // been).
  void set_out(std::uint64_t number, const weave::CommitUnit& unit);
  void arrive(std::uint64_t number);

  bool has(const Cid& thought) const override;
  // Rare (a block restated): waits for what is under way.
  Result<thought::Thought> get(const Cid& thought) const override;
  std::optional<weave::KnownConversation> find_conversation(
      const transcript::Heading& heading) const override;
  std::optional<Cid> find_place(const Cid& conversation, const weave::PlaceKey& key) const override;
  // Rare, as get() is.
  std::vector<thought::Connection> contents(const Cid& turn) const override;
  // What is stored was there before what is under way, which is waited for only if need be.
  std::optional<Cid> find_holder(const Cid& block,
                                 const std::function<bool(const Cid&)>& fits) const override;
  std::optional<weave::Mark> find_mark(const weave::PlaceKey& key) const override;
  std::vector<weave::Waiting> find_waiting(const weave::PlaceKey& key) const override;
  bool is_forgotten(const weave::PlaceKey& heading) const override;

 private:
  // CIDs in one piece of memory: a batch has some ten thousand, and they go as they came.
  class Names {
   public:
    void add(const Cid& name);
    bool has(const Cid& name) const;

   private:
    std::size_t slot_of(const Cid& name) const;
    std::vector<Cid> names_;
    std::vector<std::uint32_t> slots_;  // open addressing: index + 1 of a name, or 0
  };
  // What is under way of one batch. Places are asked for rarely, and put in order then.
  struct Cargo {
    struct Place {
      Cid conversation;
      weave::PlaceKey key;
      Cid thought;
      auto name() const { return std::tie(conversation, key); }
    };
    std::optional<Cid> find_place(const Cid& conversation, const weave::PlaceKey& key);

    Names names;
    std::vector<Place> places;  // of one place the newest counts
    bool places_in_order = false;
    std::map<weave::PlaceKey, weave::Mark> marks;
    std::set<weave::PlaceKey> waits;
  };
  // True from the second call on for one heading.
  bool met_before(const transcript::Heading& heading) const;

  const store::Store& store_;
  std::function<void()> drain_;
  mutable std::set<std::string> met_;  // headings; asked by the weaving thread alone
  mutable std::mutex mutex_;
  mutable std::map<std::uint64_t, Cargo> under_way_;  // by number; guarded by mutex_
};

}  // namespace weft::ingest

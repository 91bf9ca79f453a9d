// The web as it will be once the commits under way are done: the store, and over it the batches
// that are still being signed and written. Weaving looks things up here, so it need not wait for
// the pipeline.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "weft/weave/known_web.hpp"

namespace weft::ingest {

class InFlight : public weave::KnownWeb {
 public:
  // `drain` waits until nothing is under way. Both outlive it.
  InFlight(const weave::KnownWeb& store, std::function<void()> drain)
      : store_(store), drain_(std::move(drain)) {}

  // Adds a unit of the batch with that number; removes the batch, once it is committed or has
  // failed.
  void add(std::uint64_t number, const weave::CommitUnit& unit);
  void remove(std::uint64_t number);
  // Between two runs, with nothing under way: only the store counts.
  void clear();

  Result<bool> has(const Cid& thought) const override;
  // Rare (a block that is stated again): waits for what is under way.
  Result<thought::Thought> get(const Cid& thought) const override;
  Result<std::optional<weave::KnownConversation>> find_conversation(
      const transcript::Heading& heading, const Cid& creator) const override;
  Result<std::optional<Cid>> find_place(const Cid& conversation,
                                        const weave::PlaceKey& key) const override;
  // Rare, and waits as get() does.
  Result<std::vector<thought::Connection>> contents(const Cid& turn) const override;
  // Waits as get() does.
  Result<std::vector<Cid>> usage_of(const Cid& conversation) const override;
  // Asks the store first, for what is stored came before what is under way; waits only if the
  // store knows none.
  Result<std::optional<Cid>> find_holder(const Cid& block, const Fits& fits) const override;
  Result<std::optional<weave::Mark>> find_mark(const weave::PlaceKey& key) const override;
  Result<std::vector<weave::Waiting>> find_waiting(const weave::PlaceKey& key) const override;
  // Waits if such an edge is under way.
  Result<std::vector<Cid>> neighbours(const Cid& creator, const Cid& thought,
                                      std::string_view relation, weave::End end) const override;
  // Rare, and waits as get() does.
  Result<std::optional<weave::TimedThought>> find_response(const Cid& conversation,
                                                           Millis until) const override;
  // Rare, and waits as get() does.
  Result<std::optional<weave::TimedThought>> find_conversation_at(
      std::string_view format, const Cid& creator, const weave::PlaceKey& place) const override;
  // Waits if such a wait is under way.
  Result<std::vector<weave::Wait>> waiting_summaries() const override;
  // Thoughts are sealed by another writer, never by a batch.
  Result<std::optional<Cid>> sealed_as(const Cid& owner, const Cid& clear) const override;
  Result<bool> is_forgotten(const weave::PlaceKey& heading) const override;

 private:
  // A set of CIDs in one piece of memory: a batch has about ten thousand, freed together.
  class Names {
   public:
    void add(const Cid& name);
    bool has(const Cid& name) const;

   private:
    std::size_t slot_of(const Cid& name) const;
    std::vector<Cid> names_;
    std::vector<std::uint32_t> slots_;  // open addressing: index + 1 of a name, or 0
  };
  // The contents of one batch. Places are looked up rarely, and sorted then.
  struct BatchContents {
    struct Place {
      Cid conversation;
      weave::PlaceKey key;
      Cid thought;
      auto name() const { return std::tie(conversation, key); }
    };
    std::optional<Cid> find_place(const Cid& conversation, const weave::PlaceKey& key);

    Names names;
    std::vector<Place> places;  // the newest of one place counts
    bool places_in_order = false;
    std::map<weave::PlaceKey, weave::Mark> marks;
    std::set<weave::PlaceKey> waits;
    std::set<Cid> joined;  // the ends of edges between conversations
  };
  // True from the second call on for one heading.
  bool was_seen(const transcript::Heading& heading) const;

  const weave::KnownWeb& store_;
  std::function<void()> drain_;
  mutable std::set<std::string> seen_headings_;  // headings; for the weaving thread alone
  mutable std::mutex mutex_;
  mutable std::map<std::uint64_t, BatchContents> under_way_;  // by number; guarded by mutex_
};

}  // namespace weft::ingest

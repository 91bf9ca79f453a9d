#include "weft/ingest/in_flight.hpp"

#include <ranges>

namespace weft::ingest {

void InFlight::set_out(std::uint64_t number, const thought::Woven& woven) {
  const std::lock_guard lock(mutex_);
  Cargo& cargo = under_way_[number];
  for (const thought::Thought& thought : woven.thoughts) cargo.names.insert(thought.cid);
  cargo.names.insert(woven.leaves.begin(), woven.leaves.end());
  for (const thought::Place& place : woven.places) {
    cargo.places.insert_or_assign({woven.conversation, place.key}, place.thought);
  }
  for (const thought::Mark& mark : woven.marks) cargo.marks.emplace(mark.key, mark);
  cargo.waits.insert(woven.waits.begin(), woven.waits.end());
}

void InFlight::arrive(std::uint64_t number) {
  const std::lock_guard lock(mutex_);
  under_way_.erase(number);
}

bool InFlight::has(const Cid& thought) const {
  {
    const std::lock_guard lock(mutex_);
    for (const Cargo& cargo : under_way_ | std::views::values) {
      if (cargo.names.contains(thought)) return true;
    }
  }
  // What arrived in between is in the store by now.
  return !store_.rules_out(thought) && store_.has(thought);
}

Result<thought::Thought> InFlight::get(const Cid& thought) const {
  drain_();
  return store_.get(thought);
}

bool InFlight::met_before(const transcript::Heading& heading) const {
  return !met_.insert(heading.format + '\0' + heading.session_id + '\0' + heading.source).second;
}

std::optional<thought::KnownConversation> InFlight::find_conversation(
    const transcript::Heading& heading) const {
  const bool again = met_before(heading);
  bool quiet = true;
  {
    const std::lock_guard lock(mutex_);
    quiet = under_way_.empty();
  }
  std::optional<thought::KnownConversation> known = store_.find_conversation(heading);
  if (quiet) return known;
  // Its newest commit may still be under way. Only a conversation met a second time in
  // one run can be: those are rare enough to wait for.
  if (!again) return known;
  drain_();
  return store_.find_conversation(heading);
}

std::optional<Cid> InFlight::find_place(const Cid& conversation,
                                        const thought::PlaceKey& key) const {
  {
    const std::lock_guard lock(mutex_);
    for (const Cargo& cargo : under_way_ | std::views::values | std::views::reverse) {
      const auto found = cargo.places.find({conversation, key});
      if (found != cargo.places.end()) return found->second;
    }
  }
  return store_.find_place(conversation, key);
}

std::vector<thought::Connection> InFlight::contents(const Cid& turn) const {
  drain_();
  return store_.contents(turn);
}

std::vector<Cid> InFlight::holders(const Cid& block) const {
  drain_();
  return store_.holders(block);
}

std::optional<thought::Mark> InFlight::find_mark(const thought::PlaceKey& key) const {
  {
    const std::lock_guard lock(mutex_);
    for (const Cargo& cargo : under_way_ | std::views::values) {
      const auto found = cargo.marks.find(key);
      if (found != cargo.marks.end()) return found->second;
    }
  }
  return store_.find_mark(key);
}

std::vector<thought::Waiting> InFlight::find_waiting(const thought::PlaceKey& key) const {
  bool waits_under_way = false;
  {
    const std::lock_guard lock(mutex_);
    for (const Cargo& cargo : under_way_ | std::views::values) {
      waits_under_way = waits_under_way || cargo.waits.contains(key);
    }
  }
  if (waits_under_way) drain_();
  return store_.find_waiting(key);
}

bool InFlight::is_forgotten(const thought::PlaceKey& heading) const {
  return store_.is_forgotten(heading);
}

}  // namespace weft::ingest

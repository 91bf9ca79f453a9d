#include "weft/ingest/run/in_flight.hpp"

#include <algorithm>
#include <ranges>

#include "weft/base/try.hpp"
#include "weft/thought/structure.hpp"

namespace weft::ingest {

std::size_t InFlight::Names::slot_of(const Cid& name) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = std::hash<Cid>()(name) & mask;
  while (slots_[at] != 0 && names_[slots_[at] - 1] != name) at = (at + 1) & mask;
  return at;
}

void InFlight::Names::add(const Cid& name) {
  if (names_.size() * 2 >= slots_.size()) {
    slots_.assign(std::max<std::size_t>(slots_.size() * 4, 1024), 0);
    for (std::uint32_t i = 0; i < names_.size(); ++i) slots_[slot_of(names_[i])] = i + 1;
  }
  std::uint32_t& slot = slots_[slot_of(name)];
  if (slot != 0) return;
  names_.push_back(name);
  slot = static_cast<std::uint32_t>(names_.size());
}

bool InFlight::Names::has(const Cid& name) const {
  return !slots_.empty() && slots_[slot_of(name)] != 0;
}

std::optional<Cid> InFlight::BatchContents::find_place(const Cid& conversation,
                                                       const weave::PlaceKey& key) {
  if (!places_in_order) std::ranges::stable_sort(places, {}, &Place::name);
  places_in_order = true;
  const auto found =
      std::ranges::upper_bound(places, std::tie(conversation, key), {}, &Place::name);
  if (found == places.begin() || std::prev(found)->name() != std::tie(conversation, key)) {
    return std::nullopt;
  }
  return std::prev(found)->thought;
}

void InFlight::add(std::uint64_t number, const weave::CommitUnit& unit) {
  const std::lock_guard lock(mutex_);
  BatchContents& batch = under_way_[number];
  for (const Cid& leaf : unit.leaves) batch.names.add(leaf);
  if (unit.checkpoint) batch.names.add(*unit.checkpoint);
  for (const weave::Place& place : unit.places) {
    batch.places.push_back({unit.conversation, place.key, place.thought});
    batch.places_in_order = false;
  }
  for (const weave::Mark& mark : unit.marks) batch.marks.emplace(mark.key, mark);
  batch.waits.insert(unit.waits.begin(), unit.waits.end());
  for (const thought::Connection& edge : unit.connections) {
    if (thought::joins_conversations(edge.relation)) batch.joined.insert({edge.from, edge.to});
  }
}

void InFlight::remove(std::uint64_t number) {
  const std::lock_guard lock(mutex_);
  under_way_.erase(number);
}

void InFlight::clear() {
  seen_headings_.clear();
  const std::lock_guard lock(mutex_);
  under_way_.clear();
}

Result<bool> InFlight::has(const Cid& thought) const {
  {
    const std::lock_guard lock(mutex_);
    for (const BatchContents& batch : under_way_ | std::views::values) {
      if (batch.names.has(thought)) return true;
    }
  }
  // Anything committed in between is now in the store.
  return store_.has(thought);
}

Result<thought::Thought> InFlight::get(const Cid& thought) const {
  drain_();
  return store_.get(thought);
}

bool InFlight::was_seen(const transcript::Heading& heading) const {
  return !seen_headings_.insert(heading.format + '\0' + heading.session_id + '\0' + heading.source)
              .second;
}

Result<std::optional<weave::KnownConversation>> InFlight::find_conversation(
    const transcript::Heading& heading, const Cid& creator) const {
  const bool again = was_seen(heading);
  bool quiet = true;
  {
    const std::lock_guard lock(mutex_);
    quiet = under_way_.empty();
  }
  WEFT_TRY_VALUE(auto known, store_.find_conversation(heading, creator));
  if (quiet) return known;
  // Its newest commit may still be under way. That can only be so for a conversation that this
  // run meets a second time: rare enough to wait for.
  if (!again) return known;
  drain_();
  return store_.find_conversation(heading, creator);
}

Result<std::optional<Cid>> InFlight::find_place(const Cid& conversation,
                                                const weave::PlaceKey& key) const {
  {
    const std::lock_guard lock(mutex_);
    for (BatchContents& batch : under_way_ | std::views::values | std::views::reverse) {
      if (const std::optional<Cid> found = batch.find_place(conversation, key)) return found;
    }
  }
  return store_.find_place(conversation, key);
}

Result<std::vector<thought::Connection>> InFlight::contents(const Cid& turn) const {
  drain_();
  return store_.contents(turn);
}

Result<std::vector<Cid>> InFlight::usage_of(const Cid& conversation) const {
  drain_();
  return store_.usage_of(conversation);
}

Result<std::optional<Cid>> InFlight::find_holder(const Cid& block, const Fits& fits) const {
  WEFT_TRY_VALUE(auto found, store_.find_holder(block, fits));
  if (found) return found;
  drain_();
  return store_.find_holder(block, fits);
}

Result<std::optional<weave::Mark>> InFlight::find_mark(const weave::PlaceKey& key) const {
  {
    const std::lock_guard lock(mutex_);
    for (const BatchContents& batch : under_way_ | std::views::values) {
      const auto found = batch.marks.find(key);
      if (found != batch.marks.end()) return found->second;
    }
  }
  return store_.find_mark(key);
}

Result<std::vector<weave::Waiting>> InFlight::find_waiting(const weave::PlaceKey& key) const {
  bool waits_under_way = false;
  {
    const std::lock_guard lock(mutex_);
    for (const BatchContents& batch : under_way_ | std::views::values) {
      waits_under_way = waits_under_way || batch.waits.contains(key);
    }
  }
  if (waits_under_way) drain_();
  return store_.find_waiting(key);
}

Result<std::vector<Cid>> InFlight::neighbours(const Cid& creator, const Cid& thought,
                                              std::string_view relation, weave::End end) const {
  bool is_under_way = false;
  {
    const std::lock_guard lock(mutex_);
    for (const BatchContents& batch : under_way_ | std::views::values) {
      is_under_way = is_under_way || batch.joined.contains(thought);
    }
  }
  if (is_under_way) drain_();
  return store_.neighbours(creator, thought, relation, end);
}

Result<std::optional<weave::TimedThought>> InFlight::find_response(const Cid& conversation,
                                                                   Millis until) const {
  drain_();
  return store_.find_response(conversation, until);
}

Result<std::optional<weave::TimedThought>> InFlight::find_conversation_at(
    std::string_view format, const Cid& creator, const weave::PlaceKey& place) const {
  drain_();
  return store_.find_conversation_at(format, creator, place);
}

Result<std::vector<weave::Wait>> InFlight::waiting_summaries() const {
  bool is_under_way = false;
  {
    const std::lock_guard lock(mutex_);
    const auto is_leaf = [](const weave::PlaceKey& key) {
      return std::equal(weave::kLeafTag.begin(), weave::kLeafTag.end(), key.begin());
    };
    for (const BatchContents& batch : under_way_ | std::views::values) {
      is_under_way = is_under_way || std::ranges::any_of(batch.waits, is_leaf);
    }
  }
  if (is_under_way) drain_();
  return store_.waiting_summaries();
}

Result<std::optional<Cid>> InFlight::sealed_as(const Cid& owner, const Cid& clear) const {
  return store_.sealed_as(owner, clear);
}

Result<bool> InFlight::is_forgotten(const weave::PlaceKey& heading) const {
  return store_.is_forgotten(heading);
}

}  // namespace weft::ingest

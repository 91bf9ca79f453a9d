#include "weft/formats/adapters/codex/event_pairing.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "weft/formats/adapters/codex/line.hpp"
#include "weft/formats/reading/text.hpp"

namespace weft::formats::codex {
namespace {

std::int64_t hash_of_words(std::string_view text) {
  text = trim(text);
  return text.empty() ? 0 : static_cast<std::int64_t>(hash_of(text));
}

// Sorted.
std::vector<std::int64_t> hashes_of(const ItemContent& content) {
  std::vector<std::int64_t> hashes;
  hashes.reserve(content.match_texts.size());
  for (const std::string& text : content.match_texts) hashes.push_back(hash_of_words(text));
  std::ranges::sort(hashes);
  return hashes;
}

std::size_t size_of(const ItemContent& content) {
  constexpr std::size_t kOfEach = 16;  // what an empty one takes in the state
  std::size_t size = 0;
  for (const std::string& text : content.match_texts) size += text.size() + kOfEach;
  for (const AuthoredBlock& block : content.blocks) {
    const auto* image = std::get_if<transcript::Attachment>(&block.body);
    if (image != nullptr)
      size += image->data.value_or("").size() + image->reference.value_or("").size();
  }
  return size;
}

}  // namespace

void EventPairing::add(Window& window, const ItemContent& content) {
  for (const std::string& text : content.match_texts) {
    window.push_back({content.pair_kind, hash_of_words(text)});
    if (window.size() > kMostUnpaired) window.pop_front();
  }
}

bool EventPairing::take(Window& window, const ItemContent& content, bool by_position) {
  Window left = window;
  for (const std::string& text : content.match_texts) {
    const std::int64_t hash = hash_of_words(text);
    auto found = std::ranges::find_if(left, [&](const Unpaired& one) {
      return one.pair_kind == content.pair_kind && one.hash == hash;
    });
    if (found == left.end() && by_position) {
      found = std::ranges::find_if(left, [&](const Unpaired& one) {
        return one.pair_kind == content.pair_kind && one.is_fresh;
      });
    }
    if (found == left.end()) return false;
    left.erase(found);
  }
  window = std::move(left);
  return !content.match_texts.empty();
}

// The words of an event may differ a little (citations are not shown, images are named); those of
// reasoning do not.
bool EventPairing::match_item(const ItemContent& event) {
  return take(items_, event, event.pair_kind != PairKind::reasoning);
}

bool EventPairing::match_event(const ItemContent& item) {
  const bool is_emitted = item.pair_kind != PairKind::reasoning && take(events_, item, false);
  if (!is_emitted) add(items_, item);
  return is_emitted;
}

bool EventPairing::can_wait(const ItemContent& event) const {
  std::size_t size = size_of(event);
  for (const PendingEvent& pending : pending_) size += size_of(pending.content);
  return pending_.size() < kMaxPending && size <= kMaxPendingBytes;
}

void EventPairing::wait(PendingEvent event) { pending_.push_back(std::move(event)); }

void EventPairing::note_emitted(const ItemContent& event) { add(events_, event); }

EventPairing::Resolved EventPairing::resolve(const ItemContent& item) {
  // An item of the other side: what it answers has been shown by now.
  for (Unpaired& one : items_) {
    if ((one.pair_kind == PairKind::prompt) != (item.pair_kind == PairKind::prompt))
      one.is_fresh = false;
  }
  const std::vector<std::int64_t> hashes = hashes_of(item);
  const auto is_same = [&](const PendingEvent& pending) {
    return pending.content.pair_kind == item.pair_kind &&
           std::ranges::all_of(pending.content.match_texts, [&](const std::string& text) {
             return std::ranges::binary_search(hashes, hash_of_words(text));
           });
  };
  Resolved resolved;
  if (item.pair_kind == PairKind::reasoning) {
    // Its events may come several at once, before the first of their items.
    while (!pending_.empty() && pending_.front().content.pair_kind == PairKind::prompt) {
      resolved.emit.push_back(std::move(pending_.front()));
      pending_.pop_front();
    }
    std::erase_if(pending_, [&](PendingEvent& pending) {
      const bool is_mirror = is_same(pending);
      if (is_mirror) resolved.mirrors.push_back(std::move(pending));
      return is_mirror;
    });
    return resolved;
  }
  auto found = std::ranges::find_if(pending_, is_same);
  if (found == pending_.end() && item.pair_kind != PairKind::none) {
    found = std::ranges::find(pending_, item.pair_kind, [](const PendingEvent& pending) {
      return pending.content.pair_kind;
    });
  }
  const bool has_mirror = found != pending_.end() && item.pair_kind != PairKind::none;
  if (!has_mirror) {
    resolved.emit = release();
    return resolved;
  }
  resolved.emit.assign(std::make_move_iterator(pending_.begin()), std::make_move_iterator(found));
  resolved.mirrors.push_back(std::move(*found));
  pending_.erase(pending_.begin(), found + 1);
  return resolved;
}

std::vector<PendingEvent> EventPairing::release() {
  std::vector<PendingEvent> all(std::make_move_iterator(pending_.begin()),
                                std::make_move_iterator(pending_.end()));
  pending_.clear();
  return all;
}

std::vector<PendingEvent> EventPairing::join_reasoning(std::vector<PendingEvent> events) {
  std::vector<PendingEvent> joined;
  for (PendingEvent& event : events) {
    const bool goes_on = !joined.empty() && event.content.pair_kind == PairKind::reasoning &&
                         joined.back().content.pair_kind == PairKind::reasoning;
    if (!goes_on) {
      joined.push_back(std::move(event));
      continue;
    }
    auto& before = std::get<transcript::Thinking>(joined.back().content.blocks.at(0).body);
    auto& more = std::get<transcript::Thinking>(event.content.blocks.at(0).body);
    std::ranges::move(more.summaries, std::back_inserter(before.summaries));
    if (!before.text.empty() && !more.text.empty()) before.text += '\n';
    before.text += more.text;
    std::ranges::move(event.content.match_texts,
                      std::back_inserter(joined.back().content.match_texts));
  }
  return joined;
}

void EventPairing::archive(StateArchive& a) {
  a.field("held", pending_);
  a.field("items", items_);
  a.field("events", events_);
  a.check(std::ranges::all_of(pending_, [](const PendingEvent& one) {
    return one.content.pair_kind != PairKind::reasoning ||
           (one.content.blocks.size() == 1 &&
            std::holds_alternative<transcript::Thinking>(one.content.blocks[0].body));
  }));
}

}  // namespace weft::formats::codex

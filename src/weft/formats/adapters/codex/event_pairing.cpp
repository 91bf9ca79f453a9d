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
std::vector<std::int64_t> hashes_of(const Utterance& utterance) {
  std::vector<std::int64_t> hashes;
  hashes.reserve(utterance.echoes.size());
  for (const std::string& text : utterance.echoes) hashes.push_back(hash_of_words(text));
  std::ranges::sort(hashes);
  return hashes;
}

std::size_t size_of(const Utterance& utterance) {
  constexpr std::size_t kOfEach = 16;  // what an empty one takes in the state
  std::size_t size = 0;
  for (const std::string& text : utterance.echoes) size += text.size() + kOfEach;
  for (const AuthoredBlock& block : utterance.blocks) {
    const auto* image = std::get_if<transcript::Attachment>(&block.body);
    if (image != nullptr)
      size += image->data.value_or("").size() + image->reference.value_or("").size();
  }
  return size;
}

}  // namespace

void EventPairing::add(Window& window, const Utterance& utterance) {
  for (const std::string& text : utterance.echoes) {
    window.push_back({utterance.voice, hash_of_words(text)});
    if (window.size() > kMostUnpaired) window.pop_front();
  }
}

bool EventPairing::take(Window& window, const Utterance& utterance, bool by_position) {
  Window left = window;
  for (const std::string& text : utterance.echoes) {
    const std::int64_t hash = hash_of_words(text);
    auto found = std::ranges::find_if(left, [&](const Unpaired& one) {
      return one.voice == utterance.voice && one.hash == hash;
    });
    if (found == left.end() && by_position) {
      found = std::ranges::find_if(
          left, [&](const Unpaired& one) { return one.voice == utterance.voice && one.is_fresh; });
    }
    if (found == left.end()) return false;
    left.erase(found);
  }
  window = std::move(left);
  return !utterance.echoes.empty();
}

// Words may differ a little (citations are not shown, images are named), thoughts do not.
bool EventPairing::take_item_of(const Utterance& event) {
  return take(items_, event, event.voice != Voice::reasoning);
}

bool EventPairing::take_event_of(const Utterance& item) {
  const bool is_emitted = item.voice != Voice::reasoning && take(events_, item, false);
  if (!is_emitted) add(items_, item);
  return is_emitted;
}

bool EventPairing::may_hold(const Utterance& event) const {
  std::size_t size = size_of(event);
  for (const PendingEvent& pending : pending_) size += size_of(pending.utterance);
  return pending_.size() < kMaxPending && size <= kMaxPendingBytes;
}

void EventPairing::hold(PendingEvent event) { pending_.push_back(std::move(event)); }

void EventPairing::emitted(const Utterance& event) { add(events_, event); }

EventPairing::Ended EventPairing::item_came(const Utterance& item) {
  // The other side speaks: what it answers to has been shown by now.
  for (Unpaired& one : items_) {
    if ((one.voice == Voice::person) != (item.voice == Voice::person)) one.is_fresh = false;
  }
  const std::vector<std::int64_t> hashes = hashes_of(item);
  const auto is_same = [&](const PendingEvent& pending) {
    return pending.utterance.voice == item.voice &&
           std::ranges::all_of(pending.utterance.echoes, [&](const std::string& text) {
             return std::ranges::binary_search(hashes, hash_of_words(text));
           });
  };
  Ended ended;
  if (item.voice == Voice::reasoning) {
    // Its events may come several at once, before the first of their items.
    while (!pending_.empty() && pending_.front().utterance.voice == Voice::person) {
      ended.emit.push_back(std::move(pending_.front()));
      pending_.pop_front();
    }
    std::erase_if(pending_, [&](PendingEvent& pending) {
      const bool is_mirror = is_same(pending);
      if (is_mirror) ended.mirrors.push_back(std::move(pending));
      return is_mirror;
    });
    return ended;
  }
  auto found = std::ranges::find_if(pending_, is_same);
  if (found == pending_.end() && item.voice != Voice::none) {
    found = std::ranges::find(pending_, item.voice,
                              [](const PendingEvent& pending) { return pending.utterance.voice; });
  }
  const bool has_mirror = found != pending_.end() && item.voice != Voice::none;
  if (!has_mirror) {
    ended.emit = release();
    return ended;
  }
  ended.emit.assign(std::make_move_iterator(pending_.begin()), std::make_move_iterator(found));
  ended.mirrors.push_back(std::move(*found));
  pending_.erase(pending_.begin(), found + 1);
  return ended;
}

std::vector<PendingEvent> EventPairing::release() {
  std::vector<PendingEvent> all(std::make_move_iterator(pending_.begin()),
                                std::make_move_iterator(pending_.end()));
  pending_.clear();
  return all;
}

std::vector<PendingEvent> EventPairing::joined(std::vector<PendingEvent> events) {
  std::vector<PendingEvent> content;
  for (PendingEvent& event : events) {
    const bool goes_on = !content.empty() && event.utterance.voice == Voice::reasoning &&
                         content.back().utterance.voice == Voice::reasoning;
    if (!goes_on) {
      content.push_back(std::move(event));
      continue;
    }
    auto& before = std::get<transcript::Thinking>(content.back().utterance.blocks.at(0).body);
    auto& more = std::get<transcript::Thinking>(event.utterance.blocks.at(0).body);
    std::ranges::move(more.summaries, std::back_inserter(before.summaries));
    if (!before.text.empty() && !more.text.empty()) before.text += '\n';
    before.text += more.text;
    std::ranges::move(event.utterance.echoes, std::back_inserter(content.back().utterance.echoes));
  }
  return content;
}

json::object EventPairing::save() const {
  json::array pending, items, events;
  for (const PendingEvent& one : pending_) pending.push_back(pending_json(one));
  const auto rows = [](const Window& window, json::array& out) {
    for (const Unpaired& one : window) {
      out.push_back(json::array{static_cast<std::int64_t>(one.voice), one.hash, one.is_fresh});
    }
  };
  rows(items_, items);
  rows(events_, events);
  return {{"held", std::move(pending)}, {"items", std::move(items)}, {"events", std::move(events)}};
}

bool EventPairing::restore(const json::object& state) {
  EventPairing restored;
  const json::array* pending = find_array(state, "held");
  if (pending == nullptr) return false;
  for (const json::value& one : *pending) {
    auto parsed = parse_pending(one);
    if (!parsed) return false;
    const bool is_thought = parsed->utterance.voice == Voice::reasoning;
    if (is_thought &&
        (parsed->utterance.blocks.size() != 1 ||
         !std::holds_alternative<transcript::Thinking>(parsed->utterance.blocks[0].body))) {
      return false;
    }
    restored.pending_.push_back(std::move(*parsed));
  }
  const auto read_rows = [](const json::array* rows, Window& window) {
    if (rows == nullptr) return false;
    for (const json::value& value : *rows) {
      const json::array* row = value.if_array();
      if (row == nullptr || row->size() != 3 || !(*row)[0].is_int64() || !(*row)[1].is_int64() ||
          !(*row)[2].is_bool() || (*row)[0].get_int64() < 0 ||
          (*row)[0].get_int64() > static_cast<std::int64_t>(Voice::reasoning)) {
        return false;
      }
      window.push_back(
          {static_cast<Voice>((*row)[0].get_int64()), (*row)[1].get_int64(), (*row)[2].get_bool()});
    }
    return true;
  };
  if (!read_rows(find_array(state, "items"), restored.items_) ||
      !read_rows(find_array(state, "events"), restored.events_)) {
    return false;
  }
  *this = std::move(restored);
  return true;
}

}  // namespace weft::formats::codex

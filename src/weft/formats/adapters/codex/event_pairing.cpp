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
  for (const Said& said : utterance.said) {
    const auto* image = std::get_if<transcript::Attachment>(&said.body);
    if (image != nullptr)
      size += image->data.value_or("").size() + image->reference.value_or("").size();
  }
  return size;
}

}  // namespace

void Echoes::add(Window& window, const Utterance& utterance) {
  for (const std::string& text : utterance.echoes) {
    window.push_back({utterance.voice, hash_of_words(text)});
    if (window.size() > kMostUnpaired) window.pop_front();
  }
}

bool Echoes::take(Window& window, const Utterance& utterance, bool by_position) {
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
bool Echoes::take_item_of(const Utterance& event) {
  return take(items_, event, event.voice != Voice::reasoning);
}

bool Echoes::take_event_of(const Utterance& item) {
  const bool is_told = item.voice != Voice::reasoning && take(events_, item, false);
  if (!is_told) add(items_, item);
  return is_told;
}

bool Echoes::may_hold(const Utterance& event) const {
  std::size_t size = size_of(event);
  for (const Held& held : held_) size += size_of(held.utterance);
  return held_.size() < kMostHeld && size <= kMostHeldBytes;
}

void Echoes::hold(Held event) { held_.push_back(std::move(event)); }

void Echoes::told(const Utterance& event) { add(events_, event); }

Echoes::Ended Echoes::item_came(const Utterance& item) {
  // The other side speaks: what it answers to has been shown by now.
  for (Unpaired& one : items_) {
    if ((one.voice == Voice::person) != (item.voice == Voice::person)) one.is_fresh = false;
  }
  const std::vector<std::int64_t> hashes = hashes_of(item);
  const auto is_same = [&](const Held& held) {
    return held.utterance.voice == item.voice &&
           std::ranges::all_of(held.utterance.echoes, [&](const std::string& text) {
             return std::ranges::binary_search(hashes, hash_of_words(text));
           });
  };
  Ended ended;
  if (item.voice == Voice::reasoning) {
    // Its events may come several at once, before the first of their items.
    while (!held_.empty() && held_.front().utterance.voice == Voice::person) {
      ended.tell.push_back(std::move(held_.front()));
      held_.pop_front();
    }
    std::erase_if(held_, [&](Held& held) {
      const bool is_mirror = is_same(held);
      if (is_mirror) ended.mirrors.push_back(std::move(held));
      return is_mirror;
    });
    return ended;
  }
  auto found = std::ranges::find_if(held_, is_same);
  if (found == held_.end() && item.voice != Voice::none) {
    found =
        std::ranges::find(held_, item.voice, [](const Held& held) { return held.utterance.voice; });
  }
  const bool has_mirror = found != held_.end() && item.voice != Voice::none;
  if (!has_mirror) {
    ended.tell = release();
    return ended;
  }
  ended.tell.assign(std::make_move_iterator(held_.begin()), std::make_move_iterator(found));
  ended.mirrors.push_back(std::move(*found));
  held_.erase(held_.begin(), found + 1);
  return ended;
}

std::vector<Held> Echoes::release() {
  std::vector<Held> all(std::make_move_iterator(held_.begin()),
                        std::make_move_iterator(held_.end()));
  held_.clear();
  return all;
}

std::vector<Held> Echoes::joined(std::vector<Held> events) {
  std::vector<Held> told;
  for (Held& event : events) {
    const bool goes_on = !told.empty() && event.utterance.voice == Voice::reasoning &&
                         told.back().utterance.voice == Voice::reasoning;
    if (!goes_on) {
      told.push_back(std::move(event));
      continue;
    }
    auto& before = std::get<transcript::Thinking>(told.back().utterance.said.at(0).body);
    auto& more = std::get<transcript::Thinking>(event.utterance.said.at(0).body);
    std::ranges::move(more.summaries, std::back_inserter(before.summaries));
    if (!before.text.empty() && !more.text.empty()) before.text += '\n';
    before.text += more.text;
    std::ranges::move(event.utterance.echoes, std::back_inserter(told.back().utterance.echoes));
  }
  return told;
}

json::object Echoes::save() const {
  json::array held, items, events;
  for (const Held& one : held_) held.push_back(held_json(one));
  const auto rows = [](const Window& window, json::array& out) {
    for (const Unpaired& one : window) {
      out.push_back(json::array{static_cast<std::int64_t>(one.voice), one.hash, one.is_fresh});
    }
  };
  rows(items_, items);
  rows(events_, events);
  return {{"held", std::move(held)}, {"items", std::move(items)}, {"events", std::move(events)}};
}

bool Echoes::restore(const json::object& state) {
  Echoes restored;
  const json::array* held = find_array(state, "held");
  if (held == nullptr) return false;
  for (const json::value& one : *held) {
    auto parsed = parse_held(one);
    if (!parsed) return false;
    const bool is_thought = parsed->utterance.voice == Voice::reasoning;
    if (is_thought &&
        (parsed->utterance.said.size() != 1 ||
         !std::holds_alternative<transcript::Thinking>(parsed->utterance.said[0].body))) {
      return false;
    }
    restored.held_.push_back(std::move(*parsed));
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

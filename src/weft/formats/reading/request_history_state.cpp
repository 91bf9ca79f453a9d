// Saves and restores a RequestHistory.
#include <algorithm>
#include <bit>
#include <utility>

#include "weft/formats/reading/request_history.hpp"

namespace weft::formats {

json::object RequestHistory::save() const {
  json::array conversations, marks;
  for (const Conversation& one : conversations_) {
    json::array prompts;
    for (const std::uint64_t hash : one.prompts)
      prompts.push_back(std::bit_cast<std::int64_t>(hash));
    conversations.push_back(
        json::object{{"thread", one.thread.save()},
                     {"chain", std::bit_cast<std::int64_t>(one.chain)},
                     {"prompts", std::move(prompts)},
                     {"usage", json::array{one.usage.input, one.usage.output, one.usage.cache_read,
                                           one.usage.cache_write}}});
  }
  for (const std::uint64_t key : order_) {
    const Point& mark = marks_.at(key);
    marks.push_back(json::array{std::bit_cast<std::int64_t>(key), mark.conversation, mark.turn,
                                std::bit_cast<std::int64_t>(mark.chain)});
  }
  return {{"conversations", std::move(conversations)},
          {"current", static_cast<std::int64_t>(current_)},
          {"next", next_number_},
          {"marks", std::move(marks)}};
}

bool RequestHistory::restore(const json::object& state) {
  const json::array* conversations = find_array(state, "conversations");
  const json::array* marks = find_array(state, "marks");
  const auto current = find_int(state, "current"), next = find_int(state, "next");
  if (conversations == nullptr || marks == nullptr || !current || !next) return false;
  const auto count = static_cast<std::int64_t>(conversations->size());
  if (conversations->size() > kMostConversations || marks->size() > most_marks_) return false;
  if (*current < 0 || *next < count || (count > 0 ? *current >= count : *current != 0)) {
    return false;
  }
  std::deque<Conversation> restored;
  for (const json::value& value : *conversations) {
    const json::object* one = value.if_object();
    const json::object* thread = one == nullptr ? nullptr : find_object(*one, "thread");
    const json::array* prompts = one == nullptr ? nullptr : find_array(*one, "prompts");
    const json::array* usage = one == nullptr ? nullptr : find_array(*one, "usage");
    const auto chain = one == nullptr ? std::nullopt : find_int(*one, "chain");
    if (thread == nullptr || prompts == nullptr || usage == nullptr || !chain) return false;
    const auto is_int = [](const json::value& number) { return number.is_int64(); };
    if (!std::ranges::all_of(*prompts, is_int) || !std::ranges::all_of(*usage, is_int))
      return false;
    if (usage->size() != 4) return false;
    Conversation conversation{.number = *next - count + static_cast<std::int64_t>(restored.size()),
                              .thread = {},
                              .chain = std::bit_cast<std::uint64_t>(*chain),
                              .usage = {(*usage)[0].get_int64(), (*usage)[1].get_int64(),
                                        (*usage)[2].get_int64(), (*usage)[3].get_int64()}};
    for (const json::value& hash : *prompts) {
      conversation.prompts.push_back(std::bit_cast<std::uint64_t>(hash.get_int64()));
    }
    if (!conversation.thread.restore(*thread, like_)) return false;
    restored.push_back(std::move(conversation));
  }
  std::unordered_map<std::uint64_t, Point> known;
  std::deque<std::uint64_t> order;
  for (const json::value& value : *marks) {
    const json::array* row = value.if_array();
    if (row == nullptr || row->size() != 4) return false;
    const json::value &key = (*row)[0], &conversation = (*row)[1], &turn = (*row)[2],
                      &chain = (*row)[3];
    if (!key.is_int64() || !conversation.is_int64() || !turn.is_string() || !chain.is_int64()) {
      return false;
    }
    Point point{.conversation = conversation.get_int64(),
                .turn = std::string(view(turn.get_string())),
                .chain = std::bit_cast<std::uint64_t>(chain.get_int64())};
    order.push_back(std::bit_cast<std::uint64_t>(key.get_int64()));
    if (!known.emplace(order.back(), std::move(point)).second) return false;
  }
  conversations_ = std::move(restored);
  marks_ = std::move(known);
  order_ = std::move(order);
  current_ = static_cast<std::size_t>(*current);
  next_number_ = *next;
  entered_.reset();
  return true;
}

}  // namespace weft::formats

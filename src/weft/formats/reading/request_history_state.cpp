// Saves and restores a RequestHistory.
#include <utility>

#include "weft/formats/reading/request_history.hpp"
#include "weft/transcript/state.hpp"

namespace weft::formats {
namespace {

struct Mark {
  std::uint64_t key = 0;
  RequestHistory::Point point{};
};
auto state_row(Mark& mark) {
  return state_cells(StateBits{mark.key}, mark.point.conversation, mark.point.turn,
                     StateBits{mark.point.chain});
}

}  // namespace

void RequestHistory::Conversation::archive(StateArchive& a) {
  a.field("thread", thread);
  a.field("chain", StateBits{chain});
  a.hashes("prompts", prompts);
  a.field("usage", usage);
}

void RequestHistory::archive(StateArchive& a) {
  a.field("conversations", conversations_, kMostConversations, [&] {
    return Conversation{.thread = LinearConversation(like_, LinearConversation::People::yes)};
  });
  a.field("current", current_);
  a.field("next", next_number_);
  std::vector<Mark> marks;
  for (const std::uint64_t key : order_) {
    if (a.is_writing()) marks.push_back({key, marks_.at(key)});
  }
  a.field("marks", marks, most_marks_);
  const auto count = static_cast<std::int64_t>(conversations_.size());
  a.check(next_number_ >= count && (count > 0 ? current_ < conversations_.size() : current_ == 0));
  if (a.is_writing() || !a.is_ok()) return;

  std::int64_t number = next_number_ - count;
  for (Conversation& one : conversations_) one.number = number++;
  marks_.clear();
  order_.clear();
  for (Mark& mark : marks) {
    order_.push_back(mark.key);
    a.check(marks_.emplace(mark.key, std::move(mark.point)).second);
  }
  entered_.reset();
}

}  // namespace weft::formats

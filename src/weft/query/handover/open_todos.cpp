#include "weft/query/handover/open_todos.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "weft/base/json.hpp"

namespace weft::query {
namespace {

// Whatever the tool calls the words of an entry.
std::string words_in(const json::object& item) {
  constexpr std::array<std::string_view, 6> kNames = {"content",     "step", "subject",
                                                      "description", "text", "title"};
  for (const std::string_view name : kNames) {
    const auto words = find_string(item, name);
    if (words && !words->empty()) return std::string(*words);
  }
  return {};
}

bool is_over(std::string_view status) {
  constexpr std::array<std::string_view, 5> kOver = {"completed", "done", "cancelled", "canceled",
                                                     "deleted"};
  return std::ranges::find(kOver, status) != kOver.end();
}

// Tasks are numbered from 1 in the order in which they were made.
std::size_t number_of(const json::object& input) {
  const auto id = find_string(input, "taskId");
  std::size_t number = 0;
  if (id) std::from_chars(id->data(), id->data() + id->size(), number);
  return number;
}

}  // namespace

void TodoList::note(const transcript::ToolCall& call, const Cid& cid) {
  const json::object* input = call.input.if_object();
  if (input == nullptr) return;
  if (call.name == "TaskCreate") {
    todos_.push_back({cid, words_in(*input), "pending"});
  } else if (call.name == "TaskUpdate") {
    update(*input, cid);
  } else {
    for (const std::string_view name : {"todos", "plan"}) {
      if (const json::array* items = find_array(*input, name)) return replace(*items, cid);
    }
  }
}

void TodoList::replace(const json::array& items, const Cid& cid) {
  std::vector<Todo> todos;
  for (const json::value& value : items) {
    const json::object* item = value.if_object();
    const auto status = item == nullptr ? std::nullopt : find_string(*item, "status");
    if (!status) return;  // a list of something else
    todos.push_back({cid, words_in(*item), std::string(*status)});
  }
  todos_ = std::move(todos);
}

void TodoList::update(const json::object& input, const Cid& cid) {
  const std::size_t number = number_of(input);
  if (number == 0 || number > todos_.size()) return;
  Todo& todo = todos_[number - 1];
  todo.call = cid;
  if (const auto status = find_string(input, "status")) todo.status = *status;
  if (const auto subject = find_string(input, "subject")) todo.words = *subject;
}

std::vector<Todo> TodoList::open() const {
  std::vector<Todo> open;
  for (const Todo& todo : todos_) {
    if (!is_over(todo.status) && !todo.words.empty()) open.push_back(todo);
  }
  return open;
}

}  // namespace weft::query

// The list of what an agent means to do, as it last wrote it down with a tool of its own.
#pragma once

#include <string>
#include <vector>

#include "weft/base/cid.hpp"
#include "weft/transcript/block.hpp"

namespace weft::query {

struct Todo {
  Cid call;  // that put it on the list or changed it last
  std::string words, status;
};

// Follows the calls of a conversation, in order. Tools that write the whole list name it `todos` or
// `plan` (TodoWrite, update_plan, write_todos, todowrite); TaskCreate and TaskUpdate change one
// entry each.
class TodoList {
 public:
  void note(const transcript::ToolCall& call, const Cid& cid);
  // Those that are neither done nor given up, in the order of the list.
  std::vector<Todo> open() const;

 private:
  void replace(const json::array& items, const Cid& cid);
  void update(const json::object& input, const Cid& cid);

  std::vector<Todo> todos_;
};

}  // namespace weft::query

// Tells which words of a person are a task, and which decide something. By their form alone, so it
// errs: what matters is that a "yes" is no task.
#pragma once

#include <string_view>

namespace weft::query {

// Not a command, and more than an assent such as "yes, go on".
bool is_task(std::string_view words);
// Words that begin like a correction: "no, …", "don't …", "use X instead".
bool is_decision(std::string_view words);

}  // namespace weft::query

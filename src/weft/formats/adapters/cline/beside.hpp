// The files beside a conversation. Each is read once, when it is first needed.
#pragma once

#include <optional>
#include <string>

#include "weft/formats/adapters/cline/task.hpp"
#include "weft/formats/adapters/cline/ui.hpp"

namespace weft::formats::cline {

class Beside {
 public:
  explicit Beside(const SourceInfo& info) : info_(info) {}

  // A task's folder is called by its id; empty if this is no file of one.
  std::string task() const;
  const About& about(bool is_session);
  // What a task showed; null for a session, and where it is not beside.
  const UiLog* log(bool is_session);
  // Whether the task's messages are beside what it showed. A task that was cancelled early has
  // none, or an empty list.
  bool is_mirror();

 private:
  SourceInfo info_;
  std::optional<About> about_;
  std::optional<UiLog> log_;
  bool has_looked_for_log_ = false;
  std::optional<bool> is_mirror_;
};

}  // namespace weft::formats::cline

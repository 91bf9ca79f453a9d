// CommitSleep: waits until the store may have something new, for commands that print a session
// while it grows.
#pragma once

#include <memory>

#include "weft/cli/app/context.hpp"

namespace weft::cli {

class CommitSleep {
 public:
  // Create it before the first read, so that nothing is missed between that and the first sleep.
  CommitSleep(const Context& context, const store::Store& store, int stop)
      : out_(::fileno(context.out())), commits_(store.changes()), stop_(stop) {}

  // Until there may be something new. False if `stop` became readable, or the reader of stdout is
  // gone.
  bool until_changed();

 private:
  int out_;
  std::unique_ptr<store::Changes> commits_;
  int stop_;
  std::size_t looks_ = 0;  // number of checks since the last notice
};

}  // namespace weft::cli

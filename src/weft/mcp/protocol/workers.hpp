// A small thread pool that runs tasks in order.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace weft::mcp {

class Workers {
 public:
  explicit Workers(std::size_t threads);
  ~Workers();  // waits for all tasks
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  void give(std::function<void()> work);

 private:
  struct Pool;
  std::unique_ptr<Pool> pool_;
};

}  // namespace weft::mcp

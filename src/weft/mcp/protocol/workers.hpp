// A few threads that do what they are given, in order.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace weft::mcp {

class Workers {
 public:
  explicit Workers(std::size_t threads);
  ~Workers();  // waits for all that was given
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  void give(std::function<void()> work);

 private:
  struct Pool;
  std::unique_ptr<Pool> pool_;
};

}  // namespace weft::mcp

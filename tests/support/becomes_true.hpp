// Waits until a condition that another process fulfils becomes true.
#pragma once

#include <chrono>
#include <functional>
#include <thread>

namespace weft::test {

// Until it holds; false if it does not for so long that it never will.
inline bool becomes_true(const std::function<bool()>& holds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(120);
  while (!holds()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return true;
}

}  // namespace weft::test

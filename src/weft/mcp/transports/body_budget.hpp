// The memory that the bodies of requests may take, shared by all connections of a server.
//
// A body up to `kFreeBytes` is always admitted, so that ordinary requests are answered while one
// client keeps the whole budget busy. What exceeds that counts from its first byte to the answer.
// For the thread of the server.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>

namespace weft::mcp {

class BodyBudget {
 public:
  static constexpr std::size_t kFreeBytes = 64u << 10;

  // `most_bytes` in all; one client may use half of it. `on_large_released` is called whenever a
  // body that counted is released.
  explicit BodyBudget(std::size_t most_bytes, std::function<void()> on_large_released = {})
      : most_bytes_(most_bytes), on_large_released_(std::move(on_large_released)) {}

  // What one request uses; returned by its destructor.
  class Share {
   public:
    // `budget` and `client` outlive it.
    Share(BodyBudget& budget, const std::string& client) : budget_(budget), client_(client) {}
    Share(const Share&) = delete;
    Share& operator=(const Share&) = delete;
    ~Share();

    // The body has that many bytes now; it never shrinks. False if the budget does not allow it.
    [[nodiscard]] bool grow(std::size_t body_bytes);

   private:
    BodyBudget& budget_;
    const std::string& client_;
    std::size_t counted_ = 0;
  };

  std::size_t used() const { return used_; }

 private:
  const std::size_t most_bytes_;
  const std::function<void()> on_large_released_;
  std::size_t used_ = 0;
  std::map<std::string, std::size_t> by_client_;  // without those that use nothing
};

}  // namespace weft::mcp

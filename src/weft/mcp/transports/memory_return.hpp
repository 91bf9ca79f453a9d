// Returns free memory to the system after large requests. The C library keeps what is freed for
// later use, so that one burst of large messages would occupy its peak until the server ends.
#pragma once

#include <malloc.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>

namespace weft::mcp {

class MemoryReturn {
 public:
  explicit MemoryReturn(boost::asio::io_context& io) : timer_(io) {}

  // Returns it a moment later, once for all requests that end until then: walking the heap takes
  // milliseconds, and the threads that answer have to let go first.
  void schedule() {
    if (is_scheduled_) return;
    is_scheduled_ = true;
    timer_.expires_after(std::chrono::milliseconds(100));
    timer_.async_wait([this](const boost::system::error_code&) {
      is_scheduled_ = false;
      ::malloc_trim(0);
    });
  }

 private:
  boost::asio::steady_timer timer_;
  bool is_scheduled_ = false;
};

}  // namespace weft::mcp

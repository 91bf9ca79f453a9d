#include "weft/mcp/protocol/workers.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>

namespace weft::mcp {

struct Workers::Pool {
  explicit Pool(std::size_t how_many) : threads(how_many) {}
  boost::asio::thread_pool threads;
};

Workers::Workers(std::size_t threads) : pool_(std::make_unique<Pool>(threads)) {}

Workers::~Workers() { pool_->threads.join(); }

void Workers::give(std::function<void()> work) {
  boost::asio::post(pool_->threads, std::move(work));
}

}  // namespace weft::mcp

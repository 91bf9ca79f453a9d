// Hears what others notify on a channel (LISTEN and NOTIFY), on a connection of its own.
//
//   const auto listener = open_listener(url, "weft_log");
//   while (Result<bool> heard = (*listener)->wait(1s)) if (*heard) look_for_commits();
#pragma once

#include <chrono>
#include <memory>
#include <string_view>

#include "weft/base/result.hpp"
#include "weft/postgres/database.hpp"
#include "weft/postgres/url.hpp"

namespace weft::postgres {

// For one thread at a time.
class Listener {
 public:
  virtual ~Listener() = default;
  // Whether somebody notified since the last call, or does within `most`. unavailable: the
  // connection was lost, and notices may have been; look for changes, and open another one.
  virtual Result<bool> wait(std::chrono::milliseconds most) = 0;
  // Readable when wait() would not wait: for a poll() of several things.
  virtual int fd() const = 0;
};

// `channel` is a literal of the program. denied, unavailable; internal on a standby, which cannot
// listen: poll there.
Result<std::unique_ptr<Listener>> open_listener(const Url& url, std::string_view channel,
                                                const Limits& limits = {});

}  // namespace weft::postgres

// The state of a connection.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "weft/mcp/protocol/request.hpp"

namespace weft::mcp {

struct SessionState {
  bool keeps_state = false;
  std::function<void(std::string message)> send;  // may be null

  std::mutex mutex;
  std::optional<Client> client{};                           // guarded by mutex: after initialize
  std::map<std::string, std::weak_ptr<Request>> under_way;  // guarded by mutex; by id as JSON
};

}  // namespace weft::mcp

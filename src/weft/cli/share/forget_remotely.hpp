// Forgetting on remotes: weft forget --remote.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "weft/cli/app/config.hpp"
#include "weft/cli/app/context.hpp"

namespace weft::cli {

// What became of it on one remote.
struct RemoteForget {
  enum class State {
    not_there,    // the remote does not have it, or its creator is somebody else
    carried_out,  // it is removed there
    waiting,      // for the keeper of the store on that server
  };
  RemoteConfig remote;
  State state = State::not_there;
  bool is_wiped = true;  // nothing of it is left in the files there, as far as anybody can tell
  std::vector<std::string> not_reached{};
};

// Has `conversations`, which were forgotten here, forgotten on one remote. Where the keeper of that
// store carries it out, waits for it, but no longer than `wait`.
Outcome<RemoteForget> forget_remotely(const Context& context, const Opened& opened,
                                      const RemoteConfig& remote,
                                      const std::vector<Cid>& conversations,
                                      std::chrono::seconds wait);

// [{remote, url, state, wiped, not_reached}]
json::array to_json(const std::vector<RemoteForget>& all);
void print(const Context& context, const std::vector<RemoteForget>& all);

// The conversations that one tombstone of this store lists, which names one of them as typed: a
// CID, or the digits that it begins with. not_found, or invalid_input if it may be several.
Result<std::vector<Cid>> find_forgotten(const store::Store& store, const std::string& text);

}  // namespace weft::cli

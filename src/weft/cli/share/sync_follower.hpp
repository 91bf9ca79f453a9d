// SyncFollower: keeps the remotes with "sync": true up to date while `weft up` or `weft watch`
// runs.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <thread>

#include "weft/base/posix.hpp"
#include "weft/cli/share/home_remote.hpp"
#include "weft/remote/remote.hpp"

namespace weft::cli {

// Pulls and pushes after each commit, at most once a second, and every ten seconds for what others
// pushed; never more than a tenth of the time. Only to remotes that the person pushed to before. A
// remote that cannot be reached is waited for. Several processes of a home take turns.
class SyncFollower {
 public:
  // Called on the thread of the follower, with one line: when a remote begins to fail, to be
  // reached again, or to need the person.
  using Note = std::function<void(std::string_view)>;

  // Starts, if there is such a remote. `context` and `opened` outlive it.
  SyncFollower(const Context& context, const Opened& opened, Note note);
  ~SyncFollower();  // waits for the conversation that is on its way
  SyncFollower(const SyncFollower&) = delete;
  SyncFollower& operator=(const SyncFollower&) = delete;

 private:
  void run();
  bool sleep(store::Changes& changes, int least_ms);  // false if it is to stop
  bool is_off() const;
  void sync(const RemoteConfig& config);
  // What the person should know of the remote now; empty if all is well.
  Result<std::string> sync_once(const RemoteConfig& config);
  Result<std::string> pull(HomeRemote& remote);
  Result<std::string> push(HomeRemote& remote);

  const Context& context_;
  const Opened& opened_;
  const Note note_;
  Config config_{};
  std::map<std::string, std::string> said_{};  // by remote
  std::set<remote::Head> refused_{};           // not read again, until they change
  Fd stop_{};
  std::thread thread_{};
};

}  // namespace weft::cli

// A pull, as `weft pull` and `weft sync` do it.
#pragma once

#include "weft/cli/share/home_remote.hpp"
#include "weft/remote/pull.hpp"

namespace weft::cli {

struct Pulled {
  RemoteConfig remote;
  bool dry_run = false;
  remote::PullPlan plan;
  remote::PullReport report{};

  // Whether this store now has everything that the remote has.
  bool is_whole() const;
};

Outcome<Pulled> run_pull(const Context& context, const Opened& opened, const Config& config,
                         const HomeRemote& remote, bool dry_run);

json::object to_json(const Pulled& pulled);
void print(const Context& context, const Pulled& pulled);

}  // namespace weft::cli

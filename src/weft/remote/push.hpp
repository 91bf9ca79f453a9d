// Push: sends conversations of a store to a remote.
//
//   WEFT_TRY_VALUE(auto plan, plan_push(store, keyring, *remote, state, options));
//   WEFT_TRY_VALUE(auto report, push(store, keyring, *remote, plan, state, options));
//
// Each conversation arrives whole or not at all, and again adds nothing: a push that was cut off is
// finished by the next one.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "weft/query/library.hpp"
#include "weft/remote/remote.hpp"
#include "weft/remote/remote_state.hpp"

namespace weft::remote {

struct PushOptions {
  // Patterns of projects, or of folders, as in `include` (ingest/discover/selection.hpp). Nothing
  // else is sent; without patterns, nothing is.
  std::vector<std::string> projects{};
  bool with_secrets = false;  // also conversations in which a secret stands in clear
  bool compares_all = false;  // does not trust what earlier pushes left behind
  Millis now = 0;
  std::function<void(std::uint64_t done, std::uint64_t all)> progress{};
  std::function<bool()> is_off{};  // asked before each conversation: ends the work, as unavailable
};

// A conversation, as people know it. Secrets in its title are masked.
struct Named {
  Cid conversation;
  std::string session_id{}, project{}, title{};
};

struct PushPlan {
  struct Send {
    Named named;
    Update update;
  };
  std::vector<Send> send{};
  // Not sent: a secret of these rules stands in it, readable for everybody.
  struct Held {
    Named named;
    std::vector<std::string> rules{};
  };
  std::vector<Held> held_back{};
  std::vector<Named> pull_first{};       // the remote has a state that this store has not
  std::vector<Named> forgotten_there{};  // by their creator: a pull forgets them here, too
  // Forgotten here, by the owner, and still there.
  struct Forget {
    Tip tip;
    Forgotten statement;
  };
  std::vector<Forget> forget{};
  std::uint64_t equal = 0;         // the remote has them as they are
  std::vector<Send> compare{};     // of those, the selected ones; if all is compared
  std::uint64_t not_selected = 0;  // of other projects
  std::optional<Cid> mark{};       // the newest checkpoint that was looked at
};

// Compares the store with the remote. Reads only what was added since the last push, as `state`
// says, unless that was with other patterns, or the remote lost something.
Result<PushPlan> plan_push(const store::Store& store, const crypto::Keyring* keyring,
                           const Remote& remote, const RemoteState& state,
                           const PushOptions& options);

// What the owner forgot here, made, and `remote` still has.
Result<std::vector<PushPlan::Forget>> plan_forgetting(const store::Store& store,
                                                      const crypto::Keyring* keyring,
                                                      const Remote& remote);

struct Refusal {
  Named named;
  std::string where{};   // the file or the store
  std::string reason{};  // one line
};

struct PushReport {
  struct Done {
    Named named;
    Sent sent;
  };
  std::vector<Done> sent{};
  std::vector<Refusal> refused{};
  std::vector<PushPlan::Held> held_back{};  // a secret came to stand in them since the plan
  std::vector<Cid> forgotten{};
  std::vector<Cid> waiting{};  // to be forgotten there by the keeper of the web
};

// Carries out the plan, and brings `state` up to date. A conversation that has grown since the plan
// was made is sent as it is now. Fails as a whole if the remote cannot be written to; what arrived
// until then stays.
Result<PushReport> push(const store::Store& store, const crypto::Keyring* keyring, Remote& remote,
                        const PushPlan& plan, RemoteState& state, const PushOptions& options);

}  // namespace weft::remote

// A push, as `weft push` and `weft sync` do it: shows what would go, asks, sends, reports.
#pragma once

#include <optional>
#include <vector>

#include "weft/cli/share/home_remote.hpp"
#include "weft/remote/compare.hpp"
#include "weft/remote/push.hpp"

namespace weft::cli {

struct PushChoices {
  bool yes = false;           // sends to a new remote without asking
  bool with_secrets = false;  // also conversations with a secret in clear
  bool check = false;         // compares everything
  bool dry_run = false;
};

struct Pushed {
  RemoteConfig remote;
  bool dry_run = false;
  remote::PushPlan plan;
  remote::PushReport report{};
  std::vector<remote::Difference> differences{};

  // Whether the remote now has everything that it should have.
  bool is_whole() const;
};

// Empty if the person says no. A remote that is used for the first time, or for further projects,
// is asked about on a terminal, and refused without --yes elsewhere.
Outcome<std::optional<Pushed>> run_push(const Context& context, const Opened& opened,
                                        HomeRemote& remote, const PushChoices& choices);

json::object to_json(const Pushed& pushed);
void print(const Context& context, const Pushed& pushed);

// {conversation_cid, session_id, project, title}
json::object to_json(const remote::Named& named);
// "weft: The blue sky (3f2a91c0)"
std::string shown(const remote::Named& named);
// [{…named, where, reason}]
json::array to_json(const std::vector<remote::Refusal>& refused);
void print(const Context& context, const std::vector<remote::Refusal>& refused);

}  // namespace weft::cli

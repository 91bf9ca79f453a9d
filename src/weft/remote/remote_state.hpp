// RemoteState: what a home remembers of a remote, in a small file of its own
// (docs/formats/remote.md).
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "weft/base/cid.hpp"
#include "weft/base/result.hpp"

namespace weft::remote {

struct RemoteState {
  std::string web_id{};
  // The patterns of projects that the person agreed to send there.
  std::vector<std::string> approved{};

  // Everything up to this checkpoint of the home's store was looked at, with these patterns, and is
  // there; but for `pending`.
  std::optional<Cid> pushed{};
  std::vector<std::string> pushed_projects{};
  std::vector<Cid> pending{};    // conversations that could not be sent
  std::optional<Cid> witness{};  // a conversation that was sent: if it is gone, so may be others

  friend bool operator==(const RemoteState&, const RemoteState&) = default;
};

// Empty if the file does not exist. corrupt if it holds something else.
Result<std::optional<RemoteState>> read_remote_state(const std::filesystem::path& file);
Status write_remote_state(const std::filesystem::path& file, const RemoteState& state);

}  // namespace weft::remote

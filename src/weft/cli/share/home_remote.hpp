// HomeRemote: a remote that config.json names, and what the home remembers of it.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "weft/base/file_lock.hpp"
#include "weft/cli/app/config.hpp"
#include "weft/cli/app/context.hpp"
#include "weft/remote/remote.hpp"
#include "weft/remote/remote_state.hpp"

namespace weft::cli {

class HomeRemote {
 public:
  // Whether to wait while another process uses the same remote.
  enum class Wait { no, yes };

  // Opens the remote to read; one that does not exist yet is empty. `keyring` may be null, and
  // outlives this. unavailable if there was one and it is gone (a disk that is not mounted);
  // conflict, with Wait::no, if another process uses it.
  static Result<HomeRemote> open(const Context& context, const RemoteConfig& config,
                                 const crypto::Keyring* keyring, Wait wait);

  const RemoteConfig& config() const { return config_; }
  // For files without names.
  const std::filesystem::path& scratch() const { return settings_.scratch; }
  const remote::Remote& reader() const { return *reader_; }
  remote::RemoteState& state() { return state_; }

  // Whether the person agreed that these projects go there.
  bool is_approved() const;
  // Opens the remote to write, creates it if needed, and notes that the projects may go there.
  Result<std::unique_ptr<remote::Remote>> open_to_write();
  // Opens the remote to have something forgotten there. Nothing is agreed to by that.
  Result<std::unique_ptr<remote::Remote>> open_to_forget() const;
  Status save_state() const;

 private:
  HomeRemote(RemoteConfig config, remote::Settings settings, std::filesystem::path file,
             FileLock lock)
      : config_(std::move(config)),
        settings_(std::move(settings)),
        file_(std::move(file)),
        lock_(std::move(lock)) {}
  Status read();

  RemoteConfig config_;
  remote::Settings settings_;
  std::filesystem::path file_;  // of the state
  FileLock lock_;
  remote::RemoteState state_{};
  std::unique_ptr<remote::Remote> reader_{};
};

// The remote of this name, or the only one if the name is empty. A refusal shows what to write into
// config.json.
Outcome<RemoteConfig> find_remote(const Context& context, const Config& config,
                                  const std::string& name);

}  // namespace weft::cli

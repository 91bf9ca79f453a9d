#include "weft/cli/share/home_remote.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>

#include "weft/base/posix.hpp"
#include "weft/base/try.hpp"

namespace weft::cli {
namespace {

std::string config_path(const Context& context) {
  return (context.home().directory / "config.json").string();
}

}  // namespace

Result<HomeRemote> HomeRemote::open(const Context& context, const RemoteConfig& config,
                                    const crypto::Keyring* keyring, Wait wait) {
  const std::filesystem::path folder = context.home().directory / "remotes";
  WEFT_TRY(make_home(context.home()));
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) {
    return fail(errno_error(errno, "creating", folder));
  }
  const std::filesystem::path lock_file = folder / (config.name + ".lock");
  auto lock = wait == Wait::yes ? FileLock::acquire(lock_file) : FileLock::try_acquire(lock_file);
  if (!lock && lock.error().code == ErrorCode::unavailable) {
    return fail(ErrorCode::conflict, "another weft process uses " + config.name);
  }
  if (!lock) return fail(std::move(lock).error());
  HomeRemote remote(config, {.keyring = keyring, .scratch = folder},
                    folder / (config.name + ".json"), *std::move(lock));
  WEFT_TRY(remote.read());
  return remote;
}

Status HomeRemote::read() {
  auto opened = remote::open_remote(config_.url, settings_);
  if (!opened && opened.error().code != ErrorCode::not_found) {
    return fail(std::move(opened).error());
  }
  reader_ = opened ? *std::move(opened) : remote::no_remote_yet();
  WEFT_TRY_VALUE(const auto id, reader_->find_web_id());
  WEFT_TRY_VALUE(const auto state, remote::read_remote_state(file_));
  if (!state) return {};
  if (!id) {
    return fail(ErrorCode::unavailable,
                fmt::format("{} ({}) is gone: this home used it before; is its disk mounted? to "
                            "begin anew, delete {}",
                            config_.name, config_.url, file_.string()));
  }
  // What is remembered of another web means nothing for this one.
  if (*id == state->web_id) state_ = *state;
  return {};
}

bool HomeRemote::is_approved() const {
  return !config_.projects.empty() &&
         std::ranges::all_of(config_.projects, [&](const std::string& pattern) {
           return std::ranges::find(state_.approved, pattern) != state_.approved.end();
         });
}

Result<std::unique_ptr<remote::Remote>> HomeRemote::open_to_write() {
  remote::Settings settings = settings_;
  settings.access = remote::Access::write;
  WEFT_TRY_VALUE(auto writer, remote::open_remote(config_.url, settings));
  WEFT_TRY_VALUE(const auto id, writer->web_id());
  if (id != state_.web_id) state_ = remote::RemoteState{.web_id = id};
  if (!is_approved()) {
    state_.approved = config_.projects;
    WEFT_TRY(save_state());
  }
  return writer;
}

Result<std::unique_ptr<remote::Remote>> HomeRemote::open_to_forget() const {
  remote::Settings settings = settings_;
  settings.access = remote::Access::write;
  return remote::open_remote(config_.url, settings);
}

Status HomeRemote::save_state() const { return remote::write_remote_state(file_, state_); }

Outcome<RemoteConfig> find_remote(const Context& context, const Config& config,
                                  const std::string& name) {
  const std::vector<RemoteConfig>& all = config.remotes;
  if (all.empty()) {
    return refuse(
        {ErrorCode::not_found, "no remote is configured in " + config_path(context)}, Exit::usage,
        R"(add one, for example: {"remotes": {"team": {"url": "folder:/path/to/a/shared/folder", )"
        R"("projects": ["weft*"]}}})");
  }
  if (name.empty() && all.size() == 1) return all.front();
  const auto found = std::ranges::find(all, name, &RemoteConfig::name);
  if (found != all.end()) return *found;
  std::string names;
  for (const RemoteConfig& remote : all) names += (names.empty() ? "" : ", ") + remote.name;
  if (name.empty()) {
    return refuse({ErrorCode::invalid_input, "several remotes are configured: " + names},
                  Exit::usage, "name one of them");
  }
  return refuse({ErrorCode::not_found,
                 fmt::format("no remote '{}' is configured in {}", name, config_path(context))},
                Exit::usage, "there are: " + names);
}

}  // namespace weft::cli

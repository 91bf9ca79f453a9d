#include "weft/cli/app/remote_config.hpp"

#include <algorithm>

#include "weft/base/try.hpp"
#include "weft/cli/app/config.hpp"

namespace weft::cli {
namespace {

// The name is also that of a file of the home.
bool is_name(std::string_view name) {
  constexpr std::string_view kAllowed =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
  return !name.empty() && name.size() <= 64 && name.front() != '.' &&
         name.find_first_not_of(kAllowed) == std::string_view::npos;
}

// "folder:~/x" names a folder of this user, as "~/x" does.
std::string expanded(std::string_view url, const Environment& environment) {
  const std::size_t colon = url.find(':');
  if (colon == std::string_view::npos) return with_home(url, environment);
  return std::string(url.substr(0, colon + 1)) + with_home(url.substr(colon + 1), environment);
}

Result<RemoteConfig> parse_remote(std::string_view name, const json::value& value,
                                  const Environment& environment) {
  const auto wrong = [&](std::string_view what) {
    return fail(ErrorCode::invalid_input,
                "has a remote \"" + std::string(name) + "\" that " + std::string(what));
  };
  if (!is_name(name)) {
    return wrong("needs another name: letters, digits, -, _ and ., at most 64 of them");
  }
  const json::object* object = value.if_object();
  if (object == nullptr) return wrong("is not an object");
  RemoteConfig remote{.name = std::string(name)};
  for (const auto& [key, member] : *object) {
    if (key == "url" && member.is_string()) {
      remote.url = expanded(view(member.get_string()), environment);
    } else if (key == "sync" && member.is_bool()) {
      remote.sync = member.get_bool();
    } else if (key == "projects" && member.is_array() &&
               std::ranges::all_of(member.get_array(), &json::value::is_string)) {
      for (const json::value& pattern : member.get_array()) {
        remote.projects.push_back(with_home(view(pattern.get_string()), environment));
      }
    } else {
      return wrong(
          "has a member that is unknown or has a wrong value; the members are \"url\" (a "
          "string), \"projects\" (a list of strings) and \"sync\" (true or false)");
    }
  }
  if (remote.url.empty()) return wrong("has no \"url\"");
  return remote;
}

}  // namespace

Result<std::vector<RemoteConfig>> parse_remotes(const json::value& value,
                                                const Environment& environment) {
  const json::object* object = value.if_object();
  if (object == nullptr) return fail(ErrorCode::invalid_input, "is not an object");
  std::vector<RemoteConfig> remotes;
  for (const auto& [name, member] : *object) {
    WEFT_TRY_VALUE(auto remote, parse_remote(name, member, environment));
    remotes.push_back(std::move(remote));
  }
  return remotes;
}

}  // namespace weft::cli

// The member `remotes` of config.json: where conversations may be pushed to and pulled from.
#pragma once

#include <string>
#include <vector>

#include "weft/base/json.hpp"
#include "weft/base/result.hpp"
#include "weft/cli/app/home.hpp"

namespace weft::cli {

struct RemoteConfig {
  std::string name, url{};
  std::vector<std::string> projects{};  // patterns; nothing is sent without one
  bool sync = false;                    // weft up and weft watch keep it up to date
};

// {NAME: {url, projects, sync}}, in order. invalid_input, for a message that begins with the name
// of the member.
Result<std::vector<RemoteConfig>> parse_remotes(const json::value& value,
                                                const Environment& environment);

}  // namespace weft::cli

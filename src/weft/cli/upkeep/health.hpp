// The checks of weft doctor: everything outside the thoughts that can keep weft from working.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "weft/cli/app/context.hpp"

namespace weft::cli {

enum class Health { ok, warn, fail };
std::string_view to_string(Health health);

struct Check {
  std::string_view name;
  Health status;
  std::string detail;  // the finding and, if something is wrong, the remedy
};

// Changes nothing and never prompts for a passphrase.
std::vector<Check> check_health(const Context& context);

}  // namespace weft::cli

// Runs ssh-keygen: to sign, and to check signatures of keys that weft cannot check itself.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "weft/base/result.hpp"

namespace weft::query {

// A variable of the environment; empty if it is not set.
using Variable = std::function<std::optional<std::string>(std::string_view name)>;

// The armoured signature of `message` in the namespace `space`, by a key file as ssh-keygen takes
// it: a private key, or a public one whose private key an agent holds. not_found if ssh-keygen is
// not installed; denied, with its reason, if it does not sign.
Result<std::string> ssh_sign(const std::string& key_file, std::string_view space,
                             std::string message, const Variable& variable);

// Whether the signature holds, whoever's it is. Fails if ssh-keygen cannot be run.
Result<bool> ssh_check(std::string_view armoured, std::string_view space, std::string message);

}  // namespace weft::query

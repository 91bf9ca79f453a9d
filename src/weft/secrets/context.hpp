// Secrets that have no shape of their own, found by what stands around them: private keys between
// their armour, passwords in connection strings, values beside a name such as PASSWORD.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "weft/secrets/secret.hpp"

namespace weft::secrets {

// Each finds a secret in `text` by the mark that stands at `at`, and reads a bounded piece around
// it.

// "-----BEGIN": a private key, from its first line to its last.
std::optional<Finding> find_private_key(std::string_view text, std::size_t at);
// "://": the password of `scheme://user:password@host`. Sure for databases and queues elsewhere;
// likely for web addresses, and on this machine.
std::optional<Finding> find_url_password(std::string_view text, std::size_t at);
// "=" or ":": the value of an assignment to a name with KEY, TOKEN, SECRET or PASSWORD in it, if it
// looks drawn at random. Likely.
std::optional<Finding> find_assigned(std::string_view text, std::size_t at);

inline constexpr Rule kPrivateKey{"private-key", "make a new key pair, and remove the public key"};
inline constexpr Rule kDatabasePassword{"connection-string",
                                        "the database's user: set a new password"};
inline constexpr Rule kUrlPassword{"url-password", "the service's user: set a new password",
                                   Tier::likely};
inline constexpr Rule kAssigned{"assigned-secret", "the service that the name says", Tier::likely};

}  // namespace weft::secrets

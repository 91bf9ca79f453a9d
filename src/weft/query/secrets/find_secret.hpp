// Finds the thoughts in which one secret stands.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "weft/query/library.hpp"
#include "weft/query/query_control.hpp"

namespace weft::query {

struct SecretThoughts {
  std::string rule;
  std::string fingerprint;         // 64 hex digits
  std::vector<Cid> thoughts{};     // each once, in the order stored, superseded ones and facts too
  std::uint64_t unread_count = 0;  // conversations of which the keyring does not open everything
};

// By the first digits of its fingerprint, as `weft secrets` prints them: 4 or more. Of the sure
// tier. not_found; invalid_input if these are no such digits, or several secrets begin with them.
Result<SecretThoughts> find_secret(const Library& library, std::string_view digits,
                                   const QueryControl& control);

}  // namespace weft::query

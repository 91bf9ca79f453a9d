// Checking a store: every CID, signature, tree, chain and head, and that every because
// and edge leads somewhere.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "weft/query/library.hpp"

namespace weft::query {

struct VerifyOptions {
  std::vector<Cid> thoughts{};       // these alone,
  std::vector<Cid> conversations{};  // and all that these hold; all of the store if both are empty
  std::optional<Digest> head{};      // a head of heads that was kept elsewhere
  unsigned threads = 2;
};

// {checked, valid, foreign, consistent, bad: [{cid, reason}], missing: [cid], head,
// verdict: "valid" | "consistent" | "bad"}. Without a keyring nothing is `valid`, only
// `consistent`. An error only if the store cannot be read at all.
Result<json::object> verify(const Library& library, const VerifyOptions& options);

}  // namespace weft::query

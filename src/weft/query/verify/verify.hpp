// Checking a store: every CID, signature, tree, chain and head, and that every because
// and edge leads somewhere.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/query/library.hpp"
#include "weft/query/query_control.hpp"

namespace weft::query {

struct VerifyOptions {
  std::vector<Cid> thoughts{};       // these alone,
  std::vector<Cid> conversations{};  // and all that these hold; all of the store if both are empty
  std::optional<Digest> head{};      // a head of heads that was kept elsewhere
  unsigned threads = 2;
  QueryControl control{};
};

// What people and models name, for the options: conversations by CID, prefix, session id or
// format:session_id, other thoughts by CID or prefix. What is neither fails as whichever it was
// nearer to being: not_found or invalid_input.
Status add_named(const Library& library, std::string_view name, VerifyOptions& options);

// {checked, valid, foreign, consistent, bad: [{cid, reason}], missing: [cid], head,
// verdict: "valid" | "consistent" | "bad"}. Without a keyring nothing is `valid`, only
// `consistent`. An error only if the store cannot be read at all.
Result<json::object> verify(const Library& library, const VerifyOptions& options);

}  // namespace weft::query

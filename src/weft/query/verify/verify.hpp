// Verifies a store: every CID, signature, tree, chain and head, and that every cause and connection
// refers to a stored thought.
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
  std::vector<Cid> thoughts{};       // only these,
  std::vector<Cid> conversations{};  // and everything in these; the whole store if both are empty
  std::optional<Digest> head{};      // a head of heads that was kept elsewhere
  bool quick = false;                // do not open sealed layers
  unsigned threads = 2;
  QueryControl control{};
};

// Resolves the names that people and models give: conversations by CID, prefix, session id or
// format:session_id, other thoughts by CID or prefix. An unknown name fails as whichever it
// resembles more: not_found or invalid_input.
Status add_named(const Library& library, std::string_view name, VerifyOptions& options);

// {checked, valid, foreign, consistent, bad: [{cid, reason}], missing: [cid], foreign_structure:
// [{cid, conversation, reason, created_by, key}], head, verdict: "valid" | "consistent" | "bad"}.
// Without a keyring nothing is `valid`, only `consistent`. With one, and unless `quick`, every
// sealed layer is opened for which it has the key. An error only if the store cannot be read at
// all.
//
// Structure by somebody else than the creator of its conversation (structure_checker.hpp) makes the
// verdict `bad`, with a keyring and without; `key` is the public key of who made it.
//
// Reads the newest state throughout, from several threads, so that no old state is kept meanwhile.
Result<json::object> verify(const store::Store& store, const crypto::Keyring* keyring,
                            const VerifyOptions& options);

}  // namespace weft::query

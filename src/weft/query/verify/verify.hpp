// Verifies a store: every CID, signature, tree, chain and head, that every cause and connection
// refers to a stored thought, and everything that the store derives (store/derived.hpp).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/query/library.hpp"
#include "weft/query/query_control.hpp"
#include "weft/query/verify/store_checks.hpp"

namespace weft::query {

struct VerifyOptions {
  std::vector<Cid> thoughts{};       // only these,
  std::vector<Cid> conversations{};  // and everything in these; the whole store if both are empty
  std::optional<Digest> head{};      // a head of heads that was kept elsewhere
  // Leaves out what takes long: opening sealed text and archived pieces, and the structure of the
  // search index.
  bool quick = false;
  // Of the whole store: checks that it cannot do by itself, on the same threads.
  std::vector<FurtherCheck> further{};
  unsigned threads = 2;
  QueryControl control{};
};

// Resolves the names that people and models give: conversations by CID, prefix, session id or
// format:session_id, other thoughts by CID or prefix. An unknown name fails as whichever it
// resembles more: not_found or invalid_input.
Status add_named(const Library& library, std::string_view name, VerifyOptions& options);

// {checked, valid, trusted, foreign, consistent, bad: [{cid, reason}], missing: [cid],
// foreign_structure: [{cid, conversation, reason, created_by, key}], signers: [{name, key, trusted,
// signatures}], store: [{table, what, cid?, cure}], head, verdict: "valid" | "consistent" | "bad",
// notes?}. Without a keyring nothing is `valid`, only `consistent`. With one, and unless `quick`,
// every sealed layer is opened for which it has the key. An error only if the store cannot be read
// at all.
//
// What is well signed is the owner's (`valid`), of somebody whom the keyring trusts (`trusted`), or
// of others (`foreign`); `signers` lists the last two. Trust changes nothing else in the answer.
//
// Structure by somebody else than the creator of its conversation (structure_checker.hpp) makes the
// verdict `bad`, with a keyring and without; `key` is the public key of who made it. `store` is
// about rows that are not signed; empty unless the whole store is checked.
//
// Reads the newest state throughout, from several threads, so that no old state is kept meanwhile.
Result<json::object> verify(const store::Store& store, const crypto::Keyring* keyring,
                            const VerifyOptions& options);

}  // namespace weft::query

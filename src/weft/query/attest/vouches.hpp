// Vouches: attestations that bind an identity to an SSH key which people publish elsewhere.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "weft/query/library.hpp"
#include "weft/thought/attestation.hpp"

namespace weft::query {

inline constexpr std::string_view kVouchSpace = "weft-identity";  // the namespace of the signature

// What the SSH key signs: the identity's CID and public key, on one line.
std::string vouch_statement(const thought::Thought& identity);

// The content that a vouch has beside {on, via, level}: the armoured signature, and the comment of
// the key file, which is the owner's word.
json::object vouch_content(std::string_view armoured, std::string_view comment);

struct Vouch {
  Cid attestation;
  std::string type, key, fingerprint, comment;
  bool holds = false;
  std::string why_not{};  // if it does not hold
};
// The vouches that the identity itself signed: others do not count. In the order of time.
Result<std::vector<Vouch>> vouches_of(const Library& library, const thought::Thought& identity);

// {cid, identity, key_type, key, fingerprint, comment, holds, reason?}
json::object to_json(const Vouch& vouch, const Cid& identity);

}  // namespace weft::query

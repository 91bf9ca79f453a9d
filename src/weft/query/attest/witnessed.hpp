// Witnessed words: those of which an attestation says that weft record heard them on the wire.
#pragma once

#include <optional>

#include "weft/query/attest/attesters.hpp"
#include "weft/query/library.hpp"

namespace weft::query {

inline constexpr std::string_view kWitnessedMember = "witnessed";  // of answers

// {attestation, by, at, request_sha256?, response_sha256?}: the first attestation that counts.
// `by` is the name of who heard them; the hashes are there if the keyring opens them. Empty if
// there is none.
Result<std::optional<json::object>> find_witness(const Library& library, const Cid& cid,
                                                 Attesters& attesters);

// Adds that to the JSON of a thought, if there is one.
Status mark_witnessed(const Library& library, const Cid& cid, Attesters& attesters,
                      json::object& shown);

}  // namespace weft::query

// Proof: a part of a web that checks by itself, from one thought back to its causes, in a file that
// can be handed on. docs/formats/proof.md specifies every byte.
//
//   std::string file = write_proof(proof, &keyring.owner_signing_key());
//   Result<Proof> proof = parse_proof(file);      // its form, and the signature over the whole
//   PartReport report = check_part(*proof);       // what it holds (part_checker.hpp)
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/crypto/ed25519.hpp"
#include "weft/thought/thought.hpp"

namespace weft::query {

// A thought of which only this is shown. Its creator signed the CID; what it says is not there.
struct Stub {
  Cid cid;
  Cid created_by;
  crypto::SignatureBytes signature{};
  friend bool operator==(const Stub&, const Stub&) = default;
};

struct Proof {
  Cid subject;  // the thought whose causes it has
  Cid owner;    // the identity whose web it is a part of
  // Whether the owner signed the selection as a whole, so that nothing was left out since.
  bool is_signed = false;
  std::optional<Digest> page{};              // of proof.html: the hash of everything but the proof
  std::vector<thought::Thought> thoughts{};  // whole; sealed parts stay sealed
  std::vector<Stub> stubs{};
};

// The file: an envelope (DSSE) with an in-toto statement, in its only spelling. Thoughts and stubs
// are put in order. `key` is the owner's if `proof.is_signed`, otherwise null.
std::string write_proof(Proof proof, const crypto::SigningKey* key);

// Reads proof.json or proof.html. invalid_input if it is neither; corrupt if any byte is not as
// write_proof() writes it, or the signature over the whole does not hold. Thoughts are not checked.
Result<Proof> parse_proof(std::string_view file);

// Whether a file claims to be a proof: the rest is for parse_proof().
bool looks_like_proof(std::string_view file);

// --- proof.html ----------------------------------------------------------------------------------

// Where the page that shows a proof has it: `page` is the file of the build.
inline constexpr std::string_view kProofMark = "{{PROOF}}";
// The hash of a page, which the statement names.
Digest hash_of_page(std::string_view page);
// The page with the proof in it. Precondition: `page` has the mark once.
std::string put_in_page(std::string_view page, std::string_view envelope);

}  // namespace weft::query

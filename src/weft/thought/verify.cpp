#include "weft/thought/verify.hpp"

#include "weft/crypto/blake3.hpp"
#include "weft/thought/identities.hpp"
#include "weft/thought/tree.hpp"

namespace weft::thought {
namespace {

std::unexpected<Error> bad(std::string reason) {
  return fail(ErrorCode::corrupt, std::move(reason));
}

}  // namespace

// Ours are the owner's own key under the owner's own name, and the keys that the keyring
// derives from an identity's facts. Anybody may write "claude" into an identity; only
// the keyring's holder can sign as the one that this keyring made.
Verdict Witnesses::verdict_on(const Thought& identity, const crypto::PublicKey& key) const {
  if (keyring_ == nullptr) return Verdict::consistent;
  const auto provenance = find_string(identity.content, "provenance");
  if (key == keyring_->owner_key()) {
    const bool is_owner = find_string(identity.content, "kind") == "human" &&
                          find_string(identity.content, "name") == keyring_->owner_name() &&
                          provenance == "verified" && identity.created_at == keyring_->created_at();
    return is_owner ? Verdict::valid : Verdict::foreign;
  }
  if (!keyring_->can_sign() || provenance != "claimed") return Verdict::foreign;
  const std::string facts = identity_facts(identity.content);
  return keyring_->custodial_key(facts).public_key() == key ? Verdict::valid : Verdict::foreign;
}

Result<Verdict> Witnesses::add(const Thought& identity) {
  if (cid_of(identity) != identity.cid) return bad("its content does not hash to its CID");
  if (identity.created_by != identity.cid) return bad("an identity must be its own creator");
  const auto text = find_string(identity.content, "pubkey");
  if (!text) return bad("an identity without a pubkey");
  const Result<crypto::PublicKey> key = crypto::PublicKey::parse(*text);
  if (!key) return bad("an identity with a malformed pubkey");
  const auto* signature = std::get_if<crypto::SignatureBytes>(&identity.signature);
  if (signature == nullptr) return bad("an identity may not be signed by a tree");
  if (!key->verifies(*signature, crypto::bytes_of(identity.cid.digest()))) {
    return bad("its signature is invalid");
  }
  const Verdict verdict = verdict_on(identity, *key);
  witnesses_.insert_or_assign(identity.cid, Witness{*key, verdict});
  return verdict;
}

Result<Verdict> Witnesses::check(const Thought& thought) const {
  return check(thought, canonical_form(thought));
}

Result<Verdict> Witnesses::check(const Thought& thought, std::string_view form) const {
  if (Cid(crypto::blake3(form)) != thought.cid) return bad("its content does not hash to its CID");
  if (!is_identity(thought) && thought.created_by == thought.cid)
    return bad("it is its own creator");
  const auto witness = witnesses_.find(thought.created_by);
  if (witness == witnesses_.end()) {
    return fail(ErrorCode::not_found, "the identity that created it is missing or bad");
  }
  if (const auto* signature = std::get_if<crypto::SignatureBytes>(&thought.signature)) {
    // A place signed on its own would stand outside of every head.
    if (may_be_tree_signed(thought)) return bad("structure must be signed by a tree");
    if (!witness->second.key.verifies(*signature, crypto::bytes_of(thought.cid.digest()))) {
      return bad("its signature is invalid");
    }
  } else if (!may_be_tree_signed(thought)) {
    return bad("its kind may not be signed by a tree");
  }
  return witness->second.verdict;
}

std::optional<Verdict> Witnesses::verdict_of(const Cid& identity) const {
  const auto witness = witnesses_.find(identity);
  if (witness == witnesses_.end()) return std::nullopt;
  return witness->second.verdict;
}

Status check_tree_signature(const Thought& thought, const Thought& checkpoint) {
  const auto* tree = std::get_if<TreeSignature>(&thought.signature);
  if (tree == nullptr) return bad("it has no tree signature");
  if (!may_be_tree_signed(thought)) return bad("its kind may not be signed by a tree");
  if (thought.type == kConnectionType && !to_connection(thought))
    return bad("a malformed connection");
  if (tree->checkpoint != checkpoint.cid) return bad("its tree signature names another checkpoint");
  if (thought.created_by != checkpoint.created_by) {
    return bad("it is signed through a checkpoint of somebody else");
  }
  const Result<Checkpoint> content = to_checkpoint(checkpoint);
  if (!content) return bad("it is signed through an unreadable " + content.error().message);
  if (!is_valid_path(thought.cid, tree->index, content->leaves, tree->path, content->root)) {
    return bad("its path does not lead to its checkpoint's root");
  }
  return {};
}

Status check_covered(const Thought& thought, const TreeSignature& leaf, const Thought& checkpoint) {
  if (leaf.checkpoint != checkpoint.cid) return bad("its cover names another checkpoint");
  const Result<Checkpoint> content = to_checkpoint(checkpoint);
  if (!content) return bad("it is covered by an unreadable " + content.error().message);
  if (content->version < 2 && !may_be_tree_signed(thought))
    return bad("it is covered by a checkpoint of version 1, which covers structure alone");
  if (!is_valid_path(thought.cid, leaf.index, content->leaves, leaf.path, content->root)) {
    return bad("the path of its cover does not lead to its checkpoint's root");
  }
  return {};
}

}  // namespace weft::thought

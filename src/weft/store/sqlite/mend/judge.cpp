#include "weft/store/sqlite/mend/judge.hpp"

#include <algorithm>

#include "weft/base/try.hpp"
#include "weft/crypto/blake3.hpp"
#include "weft/store/body.hpp"
#include "weft/thought/checkpoint.hpp"
#include "weft/thought/identities.hpp"

namespace weft::store::sql {
namespace {

using thought::Thought;

// Reads as a signature that nobody made: the CID does not depend on it.
const std::string& no_signature() {
  static const std::string kNone(sizeof(crypto::SignatureBytes), '\0');
  return kNone;
}

Judgement flawed(Flaw flaw, const Error& error) { return {.flaw = flaw, .reason = error.message}; }

}  // namespace

void Judge::forget() {
  witnesses_ = thought::Witnesses(keyring_);
  summoned_.clear();
  tree_of_ = 0;
}

void Judge::summon(Id identity) {
  if (!summoned_.insert(identity).second) return;
  const Result<Thought> thought = reader_.get_thought(identity);
  if (thought && is_identity(*thought)) std::ignore = witnesses_.add(*thought);
}

Judgement Judge::judge(const ThoughtColumns& row, const Cid& cid) {
  ThoughtColumns bare = row;
  bare.signature = no_signature();
  Result<Thought> thought = reader_.to_bare_thought(bare, cid, Reader::WithPaths::no);
  if (!thought) return flawed(Flaw::content, thought.error());
  const Result<std::string_view> text = reader_.to_text(row, room_);
  if (!text) return flawed(Flaw::content, text.error());
  form_.clear();
  append_canonical_form(form_, *thought, *text);
  const Cid computed(crypto::blake3(form_));
  Judgement judgement;
  if (computed != cid) {
    judgement = {.flaw = Flaw::content, .reason = "its content does not hash to its CID"};
  } else {
    judgement = judge_signature(*thought, row, *text);
  }
  judgement.computed = computed;
  return judgement;
}

Judgement Judge::judge_signature(Thought& thought, const ThoughtColumns& row,
                                 std::string_view text) {
  Result<thought::Signature> signature =
      reader_.to_signature(row.id, row.signature, Reader::WithPaths::no);
  if (!signature) return flawed(Flaw::signature, signature.error());
  thought.signature = *std::move(signature);
  if (is_identity(thought)) {
    Result<json::object> content = parse_body(text);
    if (!content) return flawed(Flaw::content, content.error());
    thought.content = *std::move(content);
    const bool is_own = thought.created_by == thought.cid;
    const auto verdict = thought::Witnesses(keyring_).add(thought);
    return verdict ? Judgement{}
                   : flawed(is_own ? Flaw::signature : Flaw::content, verdict.error());
  }
  summon(row.created_by);
  const auto verdict = witnesses_.check(thought, form_);
  if (!verdict) {
    const bool is_missing = verdict.error().code == ErrorCode::not_found;
    return flawed(is_missing ? Flaw::creator : Flaw::signature, verdict.error());
  }
  if (!std::holds_alternative<thought::TreeSignature>(thought.signature)) return {};
  const Result<PackedSignature> packed =
      Signatures(reader_.database()).unpack(row.id, row.signature);
  if (!packed) return flawed(Flaw::signature, packed.error());
  const Status leaf = check_leaf(thought.cid, thought.created_by, *packed);
  return leaf ? Judgement{} : flawed(Flaw::signature, leaf.error());
}

Judgement Judge::judge(const Edge& edge, const std::optional<Cid>& name) {
  const bool stands_at_its_leaf = edge.signature.empty();
  Edge signed_edge = edge;
  if (stands_at_its_leaf) signed_edge.signature = no_signature();
  Result<thought::Connection> connection =
      reader_.to_connection(signed_edge, Reader::WithPaths::no);
  if (!connection) return flawed(Flaw::content, connection.error());
  const Cid computed = cid_of(*connection);
  Judgement judgement{.computed = computed};
  if (name && *name != computed) {
    judgement.flaw = Flaw::content;
    judgement.reason = "its columns do not hash to its CID";
    return judgement;
  }
  if (stands_at_its_leaf) return judgement;
  Status status;
  if (std::holds_alternative<thought::TreeSignature>(connection->signature)) {
    const Result<PackedSignature> packed = unpack_signature(edge.signature);
    status = packed ? check_leaf(computed, connection->created_by, *packed)
                    : Status(fail(Error(packed.error())));
  } else {
    summon(edge.created_by);
    Thought thought = to_thought(*connection);
    thought.cid = computed;
    const auto verdict = witnesses_.check(thought);
    if (!verdict) status = fail(Error(verdict.error()));
  }
  if (status) return judgement;
  judgement.flaw = status.error().code == ErrorCode::not_found ? Flaw::creator : Flaw::signature;
  judgement.reason = status.error().message;
  return judgement;
}

Status Judge::check_leaf(const Cid& cid, const Cid& created_by, const PackedSignature& signature) {
  const Result<Thought> checkpoint = reader_.get_thought(signature.checkpoint);
  if (!checkpoint) {
    return fail(ErrorCode::not_found, "the checkpoint that signs it is damaged or missing");
  }
  if (checkpoint->created_by != created_by) {
    return fail(ErrorCode::corrupt, "it is signed through a checkpoint of somebody else");
  }
  if (signature.kind == PackedSignature::Kind::tree_with_path) {
    const Result<thought::Checkpoint> content = thought::to_checkpoint(*checkpoint);
    if (content && thought::is_valid_path(cid, signature.leaf, content->leaves, signature.path,
                                          content->root)) {
      return {};
    }
    return fail(ErrorCode::corrupt, "its path does not lead to its checkpoint's root");
  }
  if (tree_of_ != signature.checkpoint) {
    WEFT_TRY_VALUE(leaves_, reader_.leaves_of(signature.checkpoint));
    tree_of_ = signature.checkpoint;
  }
  if (signature.leaf < leaves_.size() && leaves_[signature.leaf] == cid) return {};
  return fail(ErrorCode::corrupt, "it is not at the stated leaf of its checkpoint's tree");
}

TreeState Judge::tree_state(Id checkpoint) {
  const Result<Cid> cid = reader_.name_of(checkpoint);
  if (!cid) return TreeState::unknown;
  const Result<Thought> thought = reader_.get_thought(checkpoint);
  if (!thought || cid_of(*thought) != *cid) return TreeState::unknown;
  const Result<thought::Checkpoint> content = thought::to_checkpoint(*thought);
  if (!content) return TreeState::unknown;
  {
    Rows row = reader_.database().query(
        "SELECT 1 FROM checkpoints WHERE id = ? AND leaves IS NOT NULL", checkpoint);
    if (!row.next()) return TreeState::absent;
  }
  const Result<std::vector<Cid>> leaves = reader_.leaves_of(checkpoint);
  if (!leaves || leaves->empty()) return TreeState::damaged;
  const bool is_whole = std::ranges::find(*leaves, Cid()) == leaves->end() &&
                        leaves->size() == content->leaves &&
                        thought::Tree(*leaves).root() == content->root;
  return is_whole ? TreeState::whole : TreeState::damaged;
}

bool Judge::is_proven(const ThoughtColumns& row) {
  const Result<PackedSignature> signature =
      Signatures(reader_.database()).unpack(row.id, row.signature);
  if (!signature) return false;
  if (signature->kind != PackedSignature::Kind::tree) return true;  // judge() has checked it
  return tree_state(signature->checkpoint) == TreeState::whole;
}

std::optional<crypto::SignatureBytes> Judge::sign_again(Id creator, const Cid& cid) {
  if (keyring_ == nullptr || !keyring_->can_sign()) return std::nullopt;
  const Result<Thought> identity = reader_.get_thought(creator);
  if (!identity || !is_identity(*identity)) return std::nullopt;
  const auto key = find_string(identity->content, "pubkey");
  if (!key) return std::nullopt;
  const std::string_view message = crypto::bytes_of(cid.digest());
  if (*key == keyring_->owner_key().str()) return keyring_->owner_signing_key().sign(message);
  const crypto::SigningKey custodial =
      keyring_->custodial_key(thought::identity_facts(identity->content));
  if (*key != custodial.public_key().str()) return std::nullopt;
  return custodial.sign(message);
}

}  // namespace weft::store::sql

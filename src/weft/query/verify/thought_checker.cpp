#include "weft/query/verify/thought_checker.hpp"

#include "weft/crypto/blake3.hpp"
#include "weft/store/searchable.hpp"
#include "weft/thought/seal.hpp"

namespace weft::query {

using thought::Connection;
using thought::Thought;
using thought::TreeSignature;
using thought::Verdict;

ThoughtChecker::ThoughtChecker(const store::Store& store, const crypto::Keyring* keyring,
                               TreeChecker& trees, const std::unordered_set<Cid>& creators,
                               Findings& findings, Boxes boxes)
    : store_(store),
      keyring_(keyring),
      trees_(trees),
      structure_(store, creators, findings),
      findings_(findings),
      boxes_(boxes),
      witnesses_(keyring) {}

void ThoughtChecker::summon(const Cid& identity) {
  if (!summoned_.insert(identity).second) return;
  const Result<Thought> thought = store_.get(identity);
  if (!thought) findings_.unreadable(thought.error());
  if (!thought || !thought::is_identity(*thought)) return;  // check_one reports the missing one
  std::ignore = witnesses_.add(*thought);  // it is checked by itself, and reported then
}

void ThoughtChecker::check(const store::CanonicalThought& form) {
  const Thought& thought = form.thought;
  if (!thought::is_identity(thought)) summon(thought.created_by);
  if (thought.type == thought::kCheckpointType) trees_.add_checkpoint(thought);
  if (const auto* signature = std::get_if<TreeSignature>(&thought.signature)) {
    trees_.add_leaf(thought.cid, thought.created_by, *signature, nullptr);
  }
  check_one(thought, form.canonical);
}

void ThoughtChecker::check(const std::optional<Cid>& stored_name, const Connection& connection) {
  summon(connection.created_by);
  form_.clear();
  append_canonical_form(form_, connection);
  const Cid name(crypto::blake3(form_));
  if (stored_name && *stored_name != name) {
    return findings_.bad(*stored_name, "its columns do not hash to its CID");
  }
  const auto* signature = std::get_if<TreeSignature>(&connection.signature);
  if (signature == nullptr) return check_one(thought::to_thought(connection), form_);
  const std::optional<Verdict> verdict = witnesses_.verdict_of(connection.created_by);
  if (!verdict) return findings_.bad(name, "the identity that created it is missing or bad");
  if (connection.relation == "uses_input") {
    return findings_.bad(name, "its kind may not be signed by a tree");
  }
  trees_.add_leaf(name, connection.created_by, *signature, &connection);
  structure_.check(name, connection);
  counts_.add(*verdict);
  if (*verdict == Verdict::foreign) signers_.add(connection.created_by);
}

void ThoughtChecker::check_alone(Thought thought) {
  if (!alone_.insert(thought.cid).second) return;
  summon(thought.created_by);
  look_up(thought.created_by);
  if (thought.source) look_up(*thought.source);
  for (const thought::ContentRef& ref : thought.because) look_up(ref.thought);
  const Result<Connection> edge = thought::to_connection(thought);
  if (edge) {
    look_up(edge->from);
    look_up(edge->to);
  }
  if (thought.type == thought::kCheckpointType) trees_.add_checkpoint(thought);
  if (const auto* signature = std::get_if<TreeSignature>(&thought.signature)) {
    if (Result<Thought> checkpoint = store_.get(signature->checkpoint)) {
      const Status status = check_tree_signature(thought, *checkpoint);
      if (!status) findings_.bad(thought.cid, status.error().message);
      check_alone(*std::move(checkpoint));
    }
    trees_.add_leaf(thought.cid, thought.created_by, *signature, edge ? &*edge : nullptr);
  }
  check_one(thought, canonical_form(thought));
}

void ThoughtChecker::look_up(const Cid& cid) {
  const Result<bool> has = store_.has(cid);
  if (!has) findings_.bad(cid, has.error().message);
  else if (!*has) findings_.missing(cid);
}

void ThoughtChecker::check_one(const Thought& thought, std::string_view form) {
  const Result<Verdict> verdict = [&] {
    if (!thought::is_identity(thought)) return witnesses_.check(thought, form);
    summoned_.insert(thought.cid);  // adding it checks it: its signature is verified once
    return witnesses_.add(thought);
  }();
  if (!verdict) return findings_.bad(thought.cid, verdict.error().message);
  counts_.add(*verdict);
  if (*verdict == Verdict::foreign) {
    signers_.add(thought.created_by,
                 store::is_searched(thought.type) ? std::optional(thought.cid) : std::nullopt);
  }
  structure_.check(thought);
  if (boxes_ == Boxes::open) open_boxes(thought);
}

void ThoughtChecker::open_boxes(const Thought& thought) {
  for (const crypto::Layer layer : {crypto::Layer::metadata, crypto::Layer::content}) {
    if (thought::open_layer(thought, layer, keyring_)) continue;
    findings_.bad(thought.cid, "its " + std::string(crypto::to_string(layer)) +
                                   " layer names a key of this keyring and does not open with it");
  }
}

}  // namespace weft::query

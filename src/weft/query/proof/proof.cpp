#include "weft/query/proof/proof.hpp"

#include <algorithm>

#include "weft/base/hex.hpp"
#include "weft/base/json.hpp"
#include "weft/base/try.hpp"
#include "weft/crypto/base64.hpp"
#include "weft/crypto/blake3.hpp"

namespace weft::query {
namespace {

constexpr std::string_view kPayloadType = "application/vnd.in-toto+json";
constexpr std::string_view kStatementType = "https://in-toto.io/Statement/v1";
constexpr std::string_view kPredicateType = "urn:weft:proof:v1";
constexpr std::int64_t kVersion = 1;
constexpr std::string_view kSigned = "signed", kUnsigned = "unsigned";
// The element of proof.html that holds the envelope. An envelope has no "<".
constexpr std::string_view kOpens = "<script type=\"application/json\" id=\"weft-proof\">";
constexpr std::string_view kCloses = "</script>";

std::unexpected<Error> changed(std::string what) {
  return fail(ErrorCode::corrupt, "proof: " + std::move(what));
}

json::object to_json(const Stub& stub) {
  return {{"cid", stub.cid.str()},
          {"created_by", stub.created_by.str()},
          {"signature", thought::to_string(thought::Signature(stub.signature))}};
}

std::string statement_of(const Proof& proof) {
  json::array thoughts, stubs;
  for (const thought::Thought& thought : proof.thoughts) thoughts.push_back(to_json(thought));
  for (const Stub& stub : proof.stubs) stubs.push_back(to_json(stub));
  json::object predicate{{"version", kVersion},
                         {"owner", proof.owner.str()},
                         {"selection", proof.is_signed ? kSigned : kUnsigned},
                         {"thoughts", std::move(thoughts)},
                         {"stubs", std::move(stubs)}};
  if (proof.page) predicate["page"] = to_hex(*proof.page);
  return canonical_json(json::object{
      {"_type", kStatementType},
      {"subject",
       json::array{json::object{{"name", proof.subject.str()},
                                {"digest", {{"blake3", to_hex(proof.subject.digest())}}}}}},
      {"predicateType", kPredicateType},
      {"predicate", std::move(predicate)}});
}

// What is signed: DSSE's pre-authentication encoding. It is longer than a CID, so no signature over
// a thought is one over an envelope.
std::string signed_bytes(std::string_view payload) {
  std::string bytes = "DSSEv1 " + std::to_string(kPayloadType.size()) + " ";
  bytes.append(kPayloadType).append(" ").append(std::to_string(payload.size())).append(" ");
  return bytes.append(payload);
}

std::string envelope_of(std::string_view payload, const crypto::PublicKey* key,
                        const crypto::SignatureBytes& signature) {
  std::string text, signed_text;
  crypto::append_base64(text, payload);
  json::array signatures;
  if (key != nullptr) {
    crypto::append_base64(signed_text,
                          {reinterpret_cast<const char*>(signature.data()), signature.size()});
    signatures.push_back(json::object{{"keyid", key->str()}, {"sig", signed_text}});
  }
  return canonical_json(json::object{{"payload", text},
                                     {"payloadType", kPayloadType},
                                     {"signatures", std::move(signatures)}}) +
         "\n";
}

bool has_only(const json::object& object, std::initializer_list<std::string_view> names) {
  return std::ranges::all_of(object, [&](const json::key_value_pair& member) {
    return std::ranges::find(names, std::string_view(member.key())) != names.end();
  });
}

Result<Cid> cid_in(const json::object& object, std::string_view member) {
  Result<Cid> cid = Cid::parse(find_string(object, member).value_or(""));
  if (!cid) return changed("its \"" + std::string(member) + "\" is missing or malformed");
  return cid;
}

Result<Stub> parse_stub(const json::value& value) {
  const json::object* object = value.if_object();
  if (object == nullptr || !has_only(*object, {"cid", "created_by", "signature"}))
    return changed("a stub has other members than a stub has");
  Stub stub;
  WEFT_TRY_VALUE(stub.cid, cid_in(*object, "cid"));
  WEFT_TRY_VALUE(stub.created_by, cid_in(*object, "created_by"));
  const Result<thought::Signature> signature =
      thought::parse_signature(find_string(*object, "signature").value_or(""));
  const auto* bytes = signature ? std::get_if<crypto::SignatureBytes>(&*signature) : nullptr;
  if (bytes == nullptr) return changed("the signature of a stub is malformed");
  stub.signature = *bytes;
  return stub;
}

// Elements in ascending order of their CIDs: one selection has one spelling.
template <class T>
bool are_in_order(const std::vector<T>& list) {
  return std::ranges::is_sorted(list, std::ranges::less_equal{}, &T::cid);
}

Status parse_predicate(const json::object& predicate, Proof& proof) {
  if (!has_only(predicate, {"version", "owner", "selection", "page", "thoughts", "stubs"}))
    return changed("its predicate has a member that no proof has");
  if (find_int(predicate, "version") != kVersion) {
    return fail(ErrorCode::invalid_input,
                "proof: it is of a version that this weft does not know; a newer one made it");
  }
  WEFT_TRY_VALUE(proof.owner, cid_in(predicate, "owner"));
  const auto selection = find_string(predicate, "selection");
  if (selection != kSigned && selection != kUnsigned)
    return changed("it does not say whether its selection is signed");
  proof.is_signed = selection == kSigned;
  if (predicate.contains("page")) {
    Digest page{};
    if (!parse_hex(find_string(predicate, "page").value_or(""), page))
      return changed("the hash of its page is malformed");
    proof.page = page;
  }
  const json::array* thoughts = find_array(predicate, "thoughts");
  const json::array* stubs = find_array(predicate, "stubs");
  if (thoughts == nullptr || stubs == nullptr) return changed("it has no thoughts or no stubs");
  for (const json::value& value : *thoughts) {
    Result<thought::Thought> thought = thought::parse_thought(value);
    if (!thought) return changed(std::move(thought).error().message);
    // What is read is what is hashed: a shorter spelling of a reference is not its only one.
    if (canonical_json(to_json(*thought)) != canonical_json(value))
      return changed("the thought " + thought->cid.str() + " is not spelled as weft writes it");
    proof.thoughts.push_back(*std::move(thought));
  }
  for (const json::value& value : *stubs) {
    WEFT_TRY_VALUE(auto stub, parse_stub(value));
    proof.stubs.push_back(stub);
  }
  if (!are_in_order(proof.thoughts) || !are_in_order(proof.stubs))
    return changed("its thoughts or stubs are not in the order of their CIDs, each once");
  return {};
}

Result<Proof> parse_statement(std::string_view payload) {
  const Result<ParsedJson> parsed = parse_json(payload);
  if (!parsed || parsed->inexact || !parsed->value.is_object() ||
      canonical_json(parsed->value) != payload)
    return changed("its payload is not canonical JSON");
  const json::object& statement = parsed->value.get_object();
  const json::array* subjects = find_array(statement, "subject");
  const json::object* predicate = find_object(statement, "predicate");
  if (!has_only(statement, {"_type", "subject", "predicateType", "predicate"}) ||
      find_string(statement, "_type") != kStatementType ||
      find_string(statement, "predicateType") != kPredicateType || predicate == nullptr ||
      subjects == nullptr || subjects->size() != 1 || !subjects->front().is_object())
    return changed("its payload is not the statement of a proof");
  Proof proof;
  const json::object& subject = subjects->front().get_object();
  WEFT_TRY_VALUE(proof.subject, cid_in(subject, "name"));
  const json::object expected{{"name", proof.subject.str()},
                              {"digest", {{"blake3", to_hex(proof.subject.digest())}}}};
  if (subject != expected) return changed("its subject and the digest of that disagree");
  WEFT_TRY(parse_predicate(*predicate, proof));
  return proof;
}

// The key of the owner, as the owner's identity states it.
Result<crypto::PublicKey> owner_key(const Proof& proof) {
  const auto found = std::ranges::find(proof.thoughts, proof.owner, &thought::Thought::cid);
  if (found == proof.thoughts.end() || !is_identity(*found))
    return changed("the identity of its owner is not in it");
  const Result<crypto::PublicKey> key =
      crypto::PublicKey::parse(find_string(found->content, "pubkey").value_or(""));
  if (!key) return changed("the key of its owner is malformed");
  return *key;
}

struct Signed {
  crypto::PublicKey key;
  crypto::SignatureBytes signature{};
};

// The signature over the whole, if there is one, and it holds.
Result<std::optional<Signed>> check_signature(const json::array& signatures,
                                              std::string_view payload) {
  if (signatures.empty()) return std::optional<Signed>();
  const json::object* entry = signatures.size() == 1 ? signatures[0].if_object() : nullptr;
  if (entry == nullptr) return changed("its signatures are malformed");
  const auto key = crypto::PublicKey::parse(find_string(*entry, "keyid").value_or(""));
  const auto bytes = crypto::parse_base64(find_string(*entry, "sig").value_or(""));
  Signed found;
  if (!key || !bytes || bytes->size() != found.signature.size())
    return changed("its signature is malformed");
  found.key = *key;
  std::ranges::copy(*bytes, found.signature.begin());
  if (!key->verifies(found.signature, signed_bytes(payload)))
    return changed("the signature over the whole does not hold");
  return std::optional(found);
}

// Nothing is read of a payload whose signature does not hold, or of an envelope with another
// spelling.
Result<Proof> parse_envelope(std::string_view envelope) {
  const Result<ParsedJson> parsed = parse_json(envelope);
  const json::object* object = parsed ? parsed->value.if_object() : nullptr;
  const auto text = object == nullptr ? std::nullopt : find_string(*object, "payload");
  const auto payload = text ? crypto::parse_base64(*text) : std::nullopt;
  const json::array* signatures = object == nullptr ? nullptr : find_array(*object, "signatures");
  if (!payload || signatures == nullptr) return changed("its envelope is malformed");
  WEFT_TRY_VALUE(const auto signature, check_signature(*signatures, *payload));
  const std::string expected = signature
                                   ? envelope_of(*payload, &signature->key, signature->signature)
                                   : envelope_of(*payload, nullptr, {});
  if (envelope != expected) return changed("its envelope is not spelled as weft writes it");
  WEFT_TRY_VALUE(auto proof, parse_statement(*payload));
  if (proof.is_signed != signature.has_value())
    return changed("its signatures are not those that its selection says");
  if (signature) {
    WEFT_TRY_VALUE(const auto key, owner_key(proof));
    if (key != signature->key) return changed("its signature is not by the key of its owner");
  }
  return proof;
}

}  // namespace

std::string write_proof(Proof proof, const crypto::SigningKey* key) {
  std::ranges::sort(proof.thoughts, {}, &thought::Thought::cid);
  std::ranges::sort(proof.stubs, {}, &Stub::cid);
  const std::string payload = statement_of(proof);
  if (key == nullptr) return envelope_of(payload, nullptr, {});
  const crypto::PublicKey& owner = key->public_key();
  return envelope_of(payload, &owner, key->sign(signed_bytes(payload)));
}

bool looks_like_proof(std::string_view file) {
  return file.starts_with("{\"payload\":") || file.find(kOpens) != std::string_view::npos;
}

Result<Proof> parse_proof(std::string_view file) {
  const std::size_t opens = file.find(kOpens);
  if (opens == std::string_view::npos) {
    if (!looks_like_proof(file)) {
      return fail(ErrorCode::invalid_input, "this is no proof: `weft prove --out FILE` writes one");
    }
    WEFT_TRY_VALUE(auto proof, parse_envelope(file));
    if (proof.page) return changed("it was taken out of its page");
    return proof;
  }
  const std::size_t begin = opens + kOpens.size();
  const std::size_t end = file.find(kCloses, begin);
  if (end == std::string_view::npos) return changed("the element of its page does not end");
  WEFT_TRY_VALUE(auto proof, parse_envelope(file.substr(begin, end - begin)));
  const std::string page =
      std::string(file.substr(0, begin)).append(kProofMark).append(file.substr(end));
  if (proof.page != hash_of_page(page)) return changed("the page around it was changed");
  return proof;
}

Digest hash_of_page(std::string_view page) { return crypto::blake3(page); }

std::string put_in_page(std::string_view page, std::string_view envelope) {
  const std::size_t at = page.find(kProofMark);
  return std::string(page.substr(0, at))
      .append(envelope)
      .append(page.substr(at + kProofMark.size()));
}

}  // namespace weft::query

#include "weft/query/attest/witnessed.hpp"

#include <algorithm>

#include "weft/base/try.hpp"
#include "weft/thought/attestation.hpp"
#include "weft/thought/seal.hpp"

namespace weft::query {

Result<std::optional<json::object>> find_witness(const Library& library, const Cid& cid,
                                                 Attesters& attesters) {
  if (library.keyring == nullptr) return std::nullopt;
  WEFT_TRY_VALUE(const auto effects, library.web.effects(cid));
  for (const Cid& effect : effects) {
    const Result<thought::Thought> thought = library.web.get_without_path(effect);
    if (!thought) continue;
    const Result<thought::Attestation> attestation = thought::to_attestation(*thought);
    if (!attestation || !thought::is_witness(*attestation)) continue;
    const bool is_about = std::ranges::find(attestation->on, cid) != attestation->on.end();
    const std::string& by = attesters.name_of(thought->created_by);
    if (!is_about || by.empty()) continue;
    json::object found{{"attestation", effect.str()}, {"by", by}, {"at", thought->created_at}};
    const json::object content = thought::open_content(*thought, library.keyring);
    for (const std::string_view hash : {thought::kRequestHash, thought::kResponseHash}) {
      if (const auto hex = find_string(content, hash)) found[hash] = *hex;
    }
    return found;
  }
  return std::nullopt;
}

Status mark_witnessed(const Library& library, const Cid& cid, Attesters& attesters,
                      json::object& shown) {
  WEFT_TRY_VALUE(auto witness, find_witness(library, cid, attesters));
  if (witness) shown[kWitnessedMember] = *std::move(witness);
  return {};
}

}  // namespace weft::query

#include "weft/thought/attestation.hpp"

#include "weft/thought/seal.hpp"

namespace weft::thought {

Result<Attestation> to_attestation(const Thought& thought) {
  const auto malformed = [] {
    return fail(ErrorCode::invalid_input, "attestation: malformed content");
  };
  const json::array* on = find_array(thought.content, "on");
  const auto via = find_string(thought.content, "via");
  const auto level = find_string(thought.content, "level");
  if (thought.type != kAttestationType || on == nullptr || on->empty() || !via || !level) {
    return malformed();
  }
  Attestation attestation{.on = {}, .via = std::string(*via), .level = std::string(*level)};
  for (const json::value& value : *on) {
    const auto cid = Cid::parse(value.is_string() ? view(value.get_string()) : "");
    if (!cid) return malformed();
    attestation.on.push_back(*cid);
  }
  return attestation;
}

Thought make_attestation(const Attestation& attestation, json::object more, const Cid& creator,
                         Millis now) {
  Thought thought;
  thought.type = kAttestationType;
  json::array on;
  for (const Cid& cid : attestation.on) {
    on.emplace_back(cid.str());
    thought.because.push_back({.thought = cid});
  }
  thought.content = std::move(more);
  thought.content["on"] = std::move(on);
  thought.content["via"] = attestation.via;
  thought.content["level"] = attestation.level;
  thought.created_by = creator;
  thought.created_at = now;
  thought.cid = cid_of(thought);
  return thought;
}

Thought make_witness(std::vector<Cid> on, json::object heard, const Cid& creator, Millis now,
                     const crypto::Keyring& keyring) {
  const Attestation attestation{
      .on = std::move(on), .via = std::string(kRecordVia), .level = std::string(kWitnessed)};
  Thought thought = make_attestation(attestation, {}, creator, now);
  seal_members(thought, std::move(heard), keyring);
  thought.cid = cid_of(thought);
  return thought;
}

bool is_witness(const Attestation& attestation) {
  return attestation.via == kRecordVia && attestation.level == kWitnessed;
}

}  // namespace weft::thought

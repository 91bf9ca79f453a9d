#include "weft/query/attest/attesters.hpp"

namespace weft::query {

const std::string& Attesters::name_of(const Cid& identity) {
  const auto [known, is_new] = names_.try_emplace(identity);
  if (is_new) known->second = find_name(identity);
  return known->second;
}

std::string Attesters::find_name(const Cid& identity) const {
  if (library_.keyring == nullptr) return {};
  const Result<thought::Thought> thought = library_.web.get_without_path(identity);
  if (!thought || !thought::is_identity(*thought)) return {};
  const std::string_view key = find_string(thought->content, "pubkey").value_or("");
  if (key == library_.keyring->owner_key().str()) return library_.keyring->owner_name();
  for (const crypto::TrustedOwner& owner : library_.keyring->trusted()) {
    if (key == owner.key.str()) return owner.name;
  }
  return {};
}

}  // namespace weft::query

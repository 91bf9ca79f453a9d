#include "weft/query/secrets/secret_mask.hpp"

#include <algorithm>
#include <vector>

#include "weft/base/hex.hpp"
#include "weft/secrets/secret.hpp"

namespace weft::query {
namespace {

constexpr std::size_t kShownDigits = 4;

}  // namespace

SecretMask::SecretMask(const crypto::Keyring* keyring) : fingerprints_(keyring) {}

std::string SecretMask::fingerprint(std::string_view secret) const {
  return to_hex(fingerprints_.of(secret));
}

std::string SecretMask::masked(std::string_view text) const {
  const std::vector<secrets::Finding> findings = secrets::find_secrets(text);
  return secrets::masked(text, findings, [this](std::string_view secret) {
    return fingerprint(secret).substr(0, kShownDigits);
  });
}

std::string SecretMask::masked_by_line(std::string_view text) const {
  std::string out;
  std::size_t done = 0;
  for (const secrets::Finding& finding : secrets::find_secrets(text)) {
    const std::string_view secret = text.substr(finding.offset, finding.length);
    const secrets::Finding alone{.length = secret.size(), .rule = finding.rule};
    out.append(text.substr(done, finding.offset - done));
    out += secrets::masked(secret, {&alone, 1}, [this](std::string_view value) {
      return fingerprint(value).substr(0, kShownDigits);
    });
    out.append(static_cast<std::size_t>(std::ranges::count(secret, '\n')), '\n');
    done = finding.offset + finding.length;
  }
  return out.append(text.substr(done));
}

std::size_t SecretMask::mask(json::value& value) const {
  if (json::object* object = value.if_object()) return mask(*object);
  std::size_t count = 0;
  if (json::array* array = value.if_array()) {
    for (json::value& element : *array) count += mask(element);
  } else if (json::string* text = value.if_string()) {
    const std::string_view whole(text->data(), text->size());
    const std::size_t found = secrets::find_secrets(whole).size();
    if (found > 0) *text = masked(whole);
    count += found;
  }
  return count;
}

std::size_t SecretMask::mask(json::object& object) const {
  std::size_t count = 0;
  std::vector<std::string> named;  // members whose names hold secrets
  for (json::key_value_pair& member : object) {
    count += mask(member.value());
    const std::string_view name(member.key().data(), member.key().size());
    if (!secrets::find_secrets(name).empty()) named.emplace_back(name);
  }
  for (const std::string& name : named) {
    json::value value = std::move(object.at(name));
    object.erase(name);
    object[masked(name)] = std::move(value);
    ++count;
  }
  return count;
}

}  // namespace weft::query

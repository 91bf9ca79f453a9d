#include "weft/query/secrets/find_secret.hpp"

#include <unordered_set>

#include "weft/base/hex.hpp"
#include "weft/base/try.hpp"

namespace weft::query {
namespace {

constexpr std::size_t kMinDigits = 4;

Status check_digits(std::string_view digits) {
  const bool are_hex = digits.find_first_not_of("0123456789abcdef") == std::string_view::npos;
  if (are_hex && digits.size() >= kMinDigits) return {};
  return fail(
      ErrorCode::invalid_input,
      "'" + std::string(digits) +
          "' is no fingerprint: give 4 or more of the hex digits that `weft secrets` prints");
}

}  // namespace

Result<SecretThoughts> find_secret(const Library& library, std::string_view digits,
                                   const QueryControl& control) {
  if (digits.starts_with('#')) digits.remove_prefix(1);
  WEFT_TRY(check_digits(digits));
  store::SecretsRequest request{.keyring = library.keyring};
  request.go_on = [&control](std::uint64_t done, std::uint64_t all) {
    control.report_progress(done, all);
    return !control.is_off();
  };
  WEFT_TRY_VALUE(const store::SecretTable table, library.web.secrets(request));
  SecretThoughts found{.unread_count = table.sealed};
  std::unordered_set<Cid> seen;
  for (const store::SecretEntry& entry : table.entries) {
    std::string fingerprint = to_hex(entry.place.fingerprint);
    if (!fingerprint.starts_with(digits)) continue;
    if (!found.fingerprint.empty() && found.fingerprint != fingerprint) {
      return fail(ErrorCode::invalid_input, "several secrets begin with '" + std::string(digits) +
                                                "'; give more digits of the fingerprint: "
                                                "weft secrets --json has all");
    }
    found.fingerprint = std::move(fingerprint);
    found.rule = entry.place.rule;
    if (seen.insert(entry.thought).second) found.thoughts.push_back(entry.thought);
  }
  if (!found.fingerprint.empty()) return found;
  return fail(ErrorCode::not_found,
              "no secret has a fingerprint that begins with '" + std::string(digits) +
                  "'; weft secrets lists them, and what is only likely is sealed by CID");
}

}  // namespace weft::query

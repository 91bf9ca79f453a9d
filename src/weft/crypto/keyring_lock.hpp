// Lock seals a keyring's secrets under a passphrase: Argon2id derives the key,
// XChaCha20-Poly1305 encrypts. docs/formats/keyring.md, "Under a passphrase".
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "weft/base/json.hpp"
#include "weft/base/result.hpp"

namespace weft::crypto {

// RFC 9106's second recommendation, with libsodium's single lane. The first needs 2 GiB, and
// weft stays below 300 MB.
inline constexpr std::int64_t kLockPasses = 3;
inline constexpr std::int64_t kLockMemoryKib = 64 << 10;
// Limits on the cost that a file may demand.
inline constexpr std::int64_t kMaxLockPasses = 10;
inline constexpr std::int64_t kMinLockMemoryKib = 8;
inline constexpr std::int64_t kMaxLockMemoryKib = 256 << 10;

struct Lock {
  std::int64_t passes = kLockPasses;
  std::int64_t memory_kib = kLockMemoryKib;
  std::array<std::uint8_t, 16> salt{};
  std::string sealed;  // nonce ‖ ciphertext ‖ tag

  // The member "lock" of a keyring, and back. invalid_input names what is wrong in it,
  // a cost beyond the limits above among that.
  static Result<Lock> parse(const json::object& object);
  std::string str() const;

  // Under a fresh salt and nonce. invalid_input if the passphrase is empty;
  // unavailable if the memory cannot be allocated.
  static Result<Lock> close(std::string_view passphrase, std::string_view associated,
                            std::string_view secrets);

  // denied if the passphrase is wrong or the file was changed, which cannot be
  // distinguished. Precondition: the cost is within the limits above. The caller wipes
  // the result.
  Result<std::string> open(std::string_view passphrase, std::string_view associated) const;
};

}  // namespace weft::crypto

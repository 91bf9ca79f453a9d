#include "weft/crypto/keyring_lock.hpp"

#include <sodium.h>

#include <optional>
#include <span>

#include "weft/base/hex.hpp"
#include "weft/crypto/aead.hpp"
#include "weft/crypto/secret.hpp"
#include "weft/crypto/sodium.hpp"

namespace weft::crypto {
namespace {

constexpr std::string_view kKdf = "argon2id";

static_assert(sizeof(Lock::salt) == crypto_pwhash_argon2id_SALTBYTES);

Result<Key> stretch(const Lock& lock, std::string_view passphrase) {
  std::array<std::uint8_t, Key::kSize> bytes{};
  const int failed = crypto_pwhash_argon2id(
      bytes.data(), bytes.size(), passphrase.data(), passphrase.size(), lock.salt.data(),
      static_cast<unsigned long long>(lock.passes), static_cast<std::size_t>(lock.memory_kib) << 10,
      crypto_pwhash_argon2id_ALG_ARGON2ID13);
  Key key(bytes);
  sodium_memzero(bytes.data(), bytes.size());
  if (failed != 0) {
    return fail(ErrorCode::unavailable, "not enough memory to check the passphrase: " +
                                            std::to_string(lock.memory_kib) + " KiB are needed");
  }
  return key;
}

std::unexpected<Error> malformed_lock(std::string_view member, std::string_view wanted) {
  std::string message = "\"";
  message.append(member).append("\" of its lock should be ").append(wanted);
  return fail(ErrorCode::invalid_input, std::move(message));
}

}  // namespace

Result<Lock> Lock::parse(const json::object& object) {
  if (find_string(object, "kdf") != kKdf) return malformed_lock("kdf", "\"argon2id\"");
  const std::optional<std::int64_t> memory_kib = find_int(object, "memory_kib");
  if (!memory_kib || *memory_kib < kMinLockMemoryKib || *memory_kib > kMaxLockMemoryKib) {
    return malformed_lock("memory_kib", "a number from 8 to 262144");
  }
  const std::optional<std::int64_t> passes = find_int(object, "passes");
  if (!passes || *passes < 1 || *passes > kMaxLockPasses) {
    return malformed_lock("passes", "a number from 1 to 10");
  }
  Lock lock{.passes = *passes, .memory_kib = *memory_kib, .salt = {}, .sealed = {}};
  if (!parse_hex(find_string(object, "salt").value_or(""), lock.salt)) {
    return malformed_lock("salt", "32 lower-case hex digits");
  }
  const std::string_view sealed = find_string(object, "sealed").value_or("");
  lock.sealed.resize(sealed.size() / 2);
  auto* const room = reinterpret_cast<std::uint8_t*>(lock.sealed.data());
  if (sealed.empty() || !parse_hex(sealed, {room, lock.sealed.size()})) {
    return malformed_lock("sealed", "lower-case hex digits");
  }
  if (object.size() != 5) {
    return fail(ErrorCode::invalid_input,
                "\"lock\" has unknown members; a newer weft may have written it");
  }
  return lock;
}

std::string Lock::str() const {
  std::string out = "{\"kdf\":\"";
  out.append(kKdf).append("\",\"memory_kib\":").append(std::to_string(memory_kib));
  out.append(",\"passes\":").append(std::to_string(passes)).append(",\"salt\":\"");
  append_hex(out, salt);
  out.append("\",\"sealed\":\"");
  append_hex(out, {reinterpret_cast<const std::uint8_t*>(sealed.data()), sealed.size()});
  out.append("\"}");
  return out;
}

Result<Lock> Lock::close(std::string_view passphrase, std::string_view associated,
                         std::string_view secrets) {
  if (passphrase.empty()) {
    return fail(ErrorCode::invalid_input, "an empty passphrase protects nothing");
  }
  require_sodium();
  Lock lock;
  randombytes_buf(lock.salt.data(), lock.salt.size());
  Nonce nonce;
  randombytes_buf(nonce.data(), nonce.size());
  const Result<Key> key = stretch(lock, passphrase);
  if (!key) return fail(key.error());
  std::string plaintext;  // encrypted in place: no copy of it stays in memory
  plaintext.reserve(kNonceBytes + secrets.size() + kTagBytes);
  plaintext = secrets;
  lock.sealed = aead_seal(*key, nonce, associated, std::move(plaintext));
  return lock;
}

Result<std::string> Lock::open(std::string_view passphrase, std::string_view associated) const {
  require_sodium();
  const Result<Key> key = stretch(*this, passphrase);
  if (!key) return fail(key.error());
  std::optional<std::string> secrets = aead_open(*key, associated, sealed);
  if (!secrets) {
    return fail(ErrorCode::denied, "the passphrase is wrong, or the file was changed");
  }
  return *std::move(secrets);
}

}  // namespace weft::crypto

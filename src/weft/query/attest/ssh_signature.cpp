#include "weft/query/attest/ssh_signature.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include "weft/base/try.hpp"
#include "weft/crypto/base64.hpp"
#include "weft/crypto/ed25519.hpp"
#include "weft/crypto/sha2.hpp"

namespace weft::query {
namespace {

constexpr std::string_view kBegin = "-----BEGIN SSH SIGNATURE-----";
constexpr std::string_view kEnd = "-----END SSH SIGNATURE-----";
constexpr std::string_view kMagic = "SSHSIG";
constexpr std::uint32_t kVersion = 1;
constexpr std::string_view kEd25519 = "ssh-ed25519";

std::unexpected<Error> malformed(std::string_view why) {
  return fail(ErrorCode::invalid_input, "not an SSH signature: " + std::string(why));
}

void append_number(std::string& out, std::uint32_t number) {
  for (const int shift : {24, 16, 8, 0}) out += static_cast<char>((number >> shift) & 0xFF);
}
void append_text(std::string& out, std::string_view text) {
  append_number(out, static_cast<std::uint32_t>(text.size()));
  out += text;
}

// SSH's encoding: numbers of four bytes, texts with their length before them.
class Wire {
 public:
  explicit Wire(std::string_view bytes) : bytes_(bytes) {}

  std::optional<std::uint32_t> number() {
    if (bytes_.size() < 4) return std::nullopt;
    std::uint32_t number = 0;
    for (int i = 0; i < 4; ++i) number = (number << 8) | static_cast<unsigned char>(bytes_[i]);
    bytes_.remove_prefix(4);
    return number;
  }
  std::optional<std::string> text() {
    const auto size = number();
    if (!size || *size > bytes_.size()) return std::nullopt;
    std::string text(bytes_.substr(0, *size));
    bytes_.remove_prefix(*size);
    return text;
  }
  bool take(std::string_view expected) {
    if (!bytes_.starts_with(expected)) return false;
    bytes_.remove_prefix(expected.size());
    return true;
  }
  bool is_at_end() const { return bytes_.empty(); }

 private:
  std::string_view bytes_;
};

// What is signed in place of the message.
std::string signed_form(const SshSignature& signature, std::string_view message) {
  std::string out(kMagic);
  append_text(out, signature.space);
  append_text(out, "");
  append_text(out, signature.hash);
  const auto append_hash = [&out](const auto& hash) {
    append_text(out, {reinterpret_cast<const char*>(hash.data()), hash.size()});
  };
  if (signature.hash == "sha512") append_hash(crypto::sha512(message));
  else append_hash(crypto::sha256(message));
  return out;
}

template <std::size_t N>
std::optional<std::array<std::uint8_t, N>> bytes_in(const std::optional<std::string>& text) {
  if (!text || text->size() != N) return std::nullopt;
  std::array<std::uint8_t, N> bytes{};
  std::copy(text->begin(), text->end(), bytes.begin());
  return bytes;
}

}  // namespace

Result<SshSignature> parse_ssh_signature(std::string_view armoured) {
  const std::size_t from = armoured.find(kBegin), to = armoured.find(kEnd);
  if (from == std::string_view::npos || to == std::string_view::npos || to < from + kBegin.size()) {
    return malformed("it has no armour");
  }
  std::string base64(armoured.substr(from + kBegin.size(), to - from - kBegin.size()));
  std::erase_if(base64, [](char c) { return c == '\n' || c == '\r' || c == ' '; });
  const auto bytes = crypto::parse_base64(base64);
  if (!bytes) return malformed("its armour holds no base64");
  Wire wire(*bytes);
  if (!wire.take(kMagic) || wire.number() != kVersion) return malformed("another version");
  const auto key = wire.text(), space = wire.text(), reserved = wire.text(), hash = wire.text(),
             signature = wire.text();
  if (!key || !space || !reserved || !hash || !signature || !wire.is_at_end()) {
    return malformed("it is cut off, or has more at its end");
  }
  if (*hash != "sha512" && *hash != "sha256") return malformed("another hash");
  if (!reserved->empty()) return malformed("a field that must be empty is not");
  const auto type = Wire(*key).text();
  if (!type) return malformed("its key has no type");
  return SshSignature{
      .key = *key, .type = *type, .space = *space, .hash = *hash, .signature = *signature};
}

std::string fingerprint_of(const SshSignature& signature) {
  const crypto::Sha256 hash = crypto::sha256(signature.key);
  std::string base64;
  crypto::append_base64(base64, {reinterpret_cast<const char*>(hash.data()), hash.size()});
  while (base64.ends_with('=')) base64.pop_back();
  return "SHA256:" + base64;
}

std::string public_line_of(const SshSignature& signature) {
  std::string line = signature.type + " ";
  crypto::append_base64(line, signature.key);
  return line;
}

SshVerdict check_ssh_signature(const SshSignature& signature, std::string_view space,
                               std::string_view message) {
  if (signature.space != space) return SshVerdict::fails;
  if (signature.type != kEd25519) return SshVerdict::elsewhere;
  Wire key(signature.key), made(signature.signature);
  const bool is_typed = key.text() == kEd25519 && made.text() == kEd25519;
  const auto public_key = bytes_in<32>(key.text());
  const auto bytes = bytes_in<64>(made.text());
  if (!is_typed || !public_key || !bytes || !key.is_at_end() || !made.is_at_end()) {
    return SshVerdict::fails;
  }
  return crypto::PublicKey(*public_key).verifies(*bytes, signed_form(signature, message))
             ? SshVerdict::holds
             : SshVerdict::fails;
}

}  // namespace weft::query

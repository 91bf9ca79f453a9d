#include "weft/query/attest/ssh_signature.hpp"

#include <gtest/gtest.h>

#include "weft/crypto/base64.hpp"

namespace weft::query {
namespace {

// Made with OpenSSH 9.2: printf 'weft identity\n' | ssh-keygen -Y sign -f id -n weft-identity
constexpr std::string_view kMessage = "weft identity\n";
constexpr std::string_view kArmoured = R"(-----BEGIN SSH SIGNATURE-----
U1NIU0lHAAAAAQAAADMAAAALc3NoLWVkMjU1MTkAAAAg2UgDqVJfFr5aMHGA7Fti/a8Izs
ly6rKF+V2wH0/Q1eAAAAANd2VmdC1pZGVudGl0eQAAAAAAAAAGc2hhNTEyAAAAUwAAAAtz
c2gtZWQyNTUxOQAAAEAQH2OhN0WHiB8QXIWzf5seaPIc9jC5AnZuGuhTvSX3G6AXYBoxEH
CTicDcUSu6tzLW7Z4h1hEBzlOBx29DXiUJ
-----END SSH SIGNATURE-----)";
constexpr std::string_view kFingerprint = "SHA256:5zSJbLcza/U4MWQHCyUFQ8wAG4hER6s9Nzqg0dWtlMU";

// The signature with one byte of what is inside changed.
std::string changed_at(std::size_t at) {
  std::string text(kArmoured);
  const std::size_t from = text.find('\n') + 1, to = text.find("\n-----END");
  std::string base64 = text.substr(from, to - from);
  std::erase(base64, '\n');
  std::string bytes = crypto::parse_base64(base64).value();
  bytes[at] = static_cast<char>(bytes[at] ^ 1);
  std::string out(text.substr(0, from));
  crypto::append_base64(out, bytes);
  return out + text.substr(to);
}

TEST(SshSignature, HoldsOverItsMessageAlone) {
  const auto signature = parse_ssh_signature(kArmoured);
  ASSERT_TRUE(signature) << signature.error().message;
  EXPECT_EQ(fingerprint_of(*signature), kFingerprint);
  EXPECT_EQ(check_ssh_signature(*signature, "weft-identity", kMessage), SshVerdict::holds);
  EXPECT_EQ(check_ssh_signature(*signature, "weft-identity", "weft identity"), SshVerdict::fails);
  EXPECT_EQ(check_ssh_signature(*signature, "git", kMessage), SshVerdict::fails);
}

TEST(SshSignature, NoChangedByteHolds) {
  constexpr std::size_t kBytes = 183;
  for (std::size_t at = 0; at < kBytes; ++at) {
    const auto signature = parse_ssh_signature(changed_at(at));
    EXPECT_FALSE(signature &&
                 check_ssh_signature(*signature, "weft-identity", kMessage) == SshVerdict::holds)
        << at;
  }
}

TEST(SshSignature, WhatIsCutOffIsNone) {
  for (std::size_t size = 0; size < kArmoured.size() - 1; ++size) {
    EXPECT_FALSE(parse_ssh_signature(kArmoured.substr(0, size))) << size;
  }
}

}  // namespace
}  // namespace weft::query

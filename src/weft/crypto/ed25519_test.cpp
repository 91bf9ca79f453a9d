#include "weft/crypto/ed25519.hpp"

#include <thread>
#include <vector>

#include "weft/crypto/vectors_for_test.hpp"

namespace weft::crypto {
namespace {

using test::from_hex;
using test::key_of;
using test::text_of;

SignatureBytes signature_of(std::string_view bytes) {
  SignatureBytes signature{};
  EXPECT_EQ(bytes.size(), signature.size());
  bytes.copy(reinterpret_cast<char*>(signature.data()), signature.size());
  return signature;
}

PublicKey public_key_of(std::string_view hex) {
  return PublicKey::parse(std::string("ed25519:").append(hex)).value();
}

TEST(Ed25519, GivesTheVectorsOfRfc8032) {
  const json::object vectors = test::read_vectors("ed25519.json");
  const json::array& cases = *find_array(vectors, "cases");
  ASSERT_EQ(cases.size(), 5u);
  for (const json::value& element : cases) {
    const json::object& expected = element.as_object();
    SCOPED_TRACE(text_of(expected, "name"));
    const SigningKey key(key_of(from_hex(text_of(expected, "seed"))));
    const std::string message = from_hex(text_of(expected, "message"));
    EXPECT_EQ(to_hex(key.public_key().bytes()), text_of(expected, "public_key"));
    EXPECT_EQ(to_hex(key.sign(message)), text_of(expected, "signature"));
    EXPECT_TRUE(public_key_of(text_of(expected, "public_key"))
                    .verifies(signature_of(from_hex(text_of(expected, "signature"))), message));
  }
}

TEST(Ed25519, RefusesASignatureMessageOrKeyWithOneBitFlipped) {
  const SigningKey key(Key::random());
  const std::string message = "thirty-two bytes, as a CID has..";
  const SignatureBytes signature = key.sign(message);
  ASSERT_TRUE(key.public_key().verifies(signature, message));
  for (std::size_t bit = 0; bit < 8 * 64; ++bit) {
    const auto mask = static_cast<std::uint8_t>(1u << bit % 8);
    SignatureBytes flipped = signature;
    flipped[bit / 8] ^= mask;
    EXPECT_FALSE(key.public_key().verifies(flipped, message)) << "signature bit " << bit;
    if (bit >= 8 * 32) continue;
    std::string other = message;
    other[bit / 8] = static_cast<char>(other[bit / 8] ^ mask);
    EXPECT_FALSE(key.public_key().verifies(signature, other)) << "message bit " << bit;
    PublicKey::Bytes bytes = key.public_key().bytes();
    bytes[bit / 8] ^= mask;
    EXPECT_FALSE(PublicKey(bytes).verifies(signature, message)) << "key bit " << bit;
  }
}

// S and S + L satisfy the same equation; RFC 8032 wants S < L.
TEST(Ed25519, RefusesASecondSpellingOfAValidSignature) {
  const std::string order =
      from_hex("edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010");
  const SigningKey key(Key::random());
  SignatureBytes signature = key.sign("message");
  unsigned carry = 0;
  for (std::size_t i = 0; i < 32; ++i) {
    carry += signature[32 + i] + static_cast<unsigned char>(order[i]);
    signature[32 + i] = static_cast<std::uint8_t>(carry & 0xff);
    carry >>= 8;
  }
  ASSERT_EQ(carry, 0u);
  EXPECT_FALSE(key.public_key().verifies(signature, "message"));
}

// Under the neutral point every message has the signature (neutral point, 0): such a
// key would make anything look signed.
TEST(Ed25519, RefusesKeysOfSmallOrderWhichWouldVerifyAnything) {
  const std::string neutral = "01" + std::string(62, '0');
  const SignatureBytes forged = signature_of(from_hex(neutral + std::string(64, '0')));
  for (const std::string& hex : {
           neutral,
           std::string(64, '0'),
           std::string("ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"),
           std::string("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"),
           std::string("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a"),
           // The same points written with y beyond the field's prime.
           std::string("edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"),
           std::string("eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"),
       }) {
    EXPECT_FALSE(public_key_of(hex).verifies(forged, "message")) << hex;
  }
}

TEST(Ed25519, SignsTheSameFromManyThreadsAtOnce) {
  const SigningKey key(Key::random());
  std::vector<SignatureBytes> signatures(4);
  {
    std::vector<std::jthread> threads;
    threads.reserve(signatures.size());
    for (SignatureBytes& signature : signatures) {
      threads.emplace_back([&] { signature = key.sign("message"); });
    }
  }
  for (const SignatureBytes& signature : signatures) EXPECT_EQ(signature, key.sign("message"));
}

TEST(PublicKey, ReadsWhatItWrites) {
  const PublicKey key = SigningKey(Key::random()).public_key();
  EXPECT_EQ(PublicKey::parse(key.str()).value(), key);
}

TEST(PublicKey, HasOneSpellingSoThatOneIdentityHasOneName) {
  const std::string digits(64, 'a');
  for (const std::string& text : {
           std::string(),
           digits,
           "ed25519:" + std::string(64, 'A'),
           "ED25519:" + digits,
           "ed25519:" + digits.substr(1),
           "ed25519:" + digits + "a",
           "ed25519: " + digits,
           "ed25519:" + digits.substr(1) + "g",
           "ed25519:" + digits + "\n",
       }) {
    const Result<PublicKey> key = PublicKey::parse(text);
    ASSERT_FALSE(key) << text;
    EXPECT_EQ(key.error().code, ErrorCode::invalid_input) << text;
  }
}

}  // namespace
}  // namespace weft::crypto

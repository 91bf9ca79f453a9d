#include "weft/crypto/aead.hpp"

#include "weft/crypto/vectors_for_test.hpp"

namespace weft::crypto {
namespace {

using test::from_hex;
using test::text_of;

TEST(Aead, GivesTheVectorOfTheXchachaDraft) {
  const json::object vector = test::read_vectors("xchacha20poly1305.json");
  const Key key = test::key_of(from_hex(text_of(vector, "key")));
  const std::string nonce_bytes = from_hex(text_of(vector, "nonce"));
  Nonce nonce{};
  nonce_bytes.copy(reinterpret_cast<char*>(nonce.data()), nonce.size());
  const std::string associated = from_hex(text_of(vector, "associated"));
  const std::string plaintext = from_hex(text_of(vector, "plaintext"));

  const std::string sealed = aead_seal(key, nonce, associated, plaintext);
  EXPECT_EQ(sealed, nonce_bytes + from_hex(text_of(vector, "ciphertext")) +
                        from_hex(text_of(vector, "tag")));
  EXPECT_EQ(aead_open(key, associated, sealed), plaintext);
}

TEST(Aead, OpensNothingThatIsTooShortToHoldNonceAndTag) {
  const Key key = Key::random();
  const std::string sealed = aead_seal(key, Nonce{}, "", "");
  EXPECT_EQ(aead_open(key, "", sealed), "");
  for (std::size_t size = 0; size < sealed.size(); ++size) {
    EXPECT_FALSE(aead_open(key, "", sealed.substr(0, size))) << size;
  }
}

}  // namespace
}  // namespace weft::crypto

#include "weft/crypto/blake3.hpp"

#include "weft/crypto/vectors_for_test.hpp"

namespace weft::crypto {
namespace {

using test::key_of;
using test::text_of;

std::string official_input(std::size_t size) {
  std::string input(size, '\0');
  for (std::size_t i = 0; i < size; ++i) input[i] = static_cast<char>(i % 251);
  return input;
}

TEST(Blake3, GivesTheOfficialVectorsInAllThreeModes) {
  const json::object vectors = test::read_vectors("blake3.json");
  const Key key = key_of(text_of(vectors, "key"));
  const json::array& cases = *find_array(vectors, "cases");
  ASSERT_EQ(cases.size(), 22u);
  for (const json::value& element : cases) {
    const json::object& expected = element.as_object();
    const auto size = static_cast<std::size_t>(find_int(expected, "input_len").value());
    SCOPED_TRACE(size);
    const std::string input = official_input(size);
    EXPECT_EQ(to_hex(blake3(input)), text_of(expected, "hash"));
    EXPECT_EQ(to_hex(blake3_keyed(key, {input})), text_of(expected, "keyed_hash"));
    EXPECT_EQ(to_hex(derive_key(text_of(vectors, "context"), {input}).bytes()),
              text_of(expected, "derive_key"));
  }
}

TEST(Blake3, HashesPartsAsOneTextWhereverItIsCut) {
  const std::string input = official_input(3000);
  const std::string_view all = input;
  const Key key = key_of(all.substr(0, Key::kSize));
  for (const std::size_t cut : {0, 1, 63, 64, 1023, 1024, 1025, 2999, 3000}) {
    SCOPED_TRACE(cut);
    const std::string_view head = all.substr(0, cut);
    const std::string_view tail = all.substr(cut);
    EXPECT_EQ(blake3({head, tail}), blake3(all));
    EXPECT_EQ(blake3_keyed(key, {head, "", tail}), blake3_keyed(key, {all}));
    EXPECT_TRUE(derive_key("context", {head, tail}) == derive_key("context", {all}));
  }
}

TEST(Blake3, DerivesAnotherKeyForEachContextSoThatUsesNeverMeet) {
  EXPECT_FALSE(derive_key("a", {"material"}) == derive_key("b", {"material"}));
  EXPECT_FALSE(derive_key("a", {"bc"}) == derive_key("ab", {"c"}));
}

TEST(Blake3, LendsADigestAsTextToBeHashedInTurn) {
  const Digest digest = blake3("leaf");
  EXPECT_EQ(bytes_of(digest), test::from_hex(to_hex(digest)));
}

}  // namespace
}  // namespace weft::crypto

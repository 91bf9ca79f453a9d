#include "weft/crypto/layers.hpp"

#include "weft/crypto/aead.hpp"
#include "weft/crypto/blake3.hpp"
#include "weft/crypto/vectors_for_test.hpp"

namespace weft::crypto {
namespace {

constexpr std::string_view kPlace = R"(["content","anthropic/thinking","cid:blake3:00",1])";
constexpr std::string_view kPlain = R"({"reasoning":"The cat sat on the mat."})";

ErrorCode code_of(const Result<std::string>& opened) {
  EXPECT_FALSE(opened);
  return opened ? ErrorCode::internal : opened.error().code;
}

class Boxes : public ::testing::Test {
 protected:
  const Key root_ = Key::random();
  const LayerKey key_{root_};
  const Box box_ = Box::seal(key_, kPlace, kPlain);
};

TEST_F(Boxes, GiveBackWhatTheySealWhateverItsSize) {
  for (const std::size_t size : {0u, 1u, 2u, 15u, 16u, 17u, 63u, 64u, 65u, 1u << 20}) {
    const std::string plain(size, 'x');
    const Box box = Box::seal(key_, kPlace, plain);
    EXPECT_EQ(box.sealed.size(), kNonceBytes + size + kTagBytes);
    EXPECT_EQ(box.open(key_, kPlace).value(), plain);
    EXPECT_EQ(Box::parse(box.str()).value(), box);
  }
}

TEST_F(Boxes, AreTheSameForTheSameBytesSoThatIngestingTwiceAddsNothing) {
  EXPECT_EQ(Box::seal(LayerKey(root_), kPlace, kPlain), box_);
}

TEST_F(Boxes, ShareNoNonceWhenContentPlaceOrKeyDiffer) {
  const auto nonce = [](const Box& box) { return box.sealed.substr(0, kNonceBytes); };
  EXPECT_NE(nonce(Box::seal(key_, kPlace, "{}")), nonce(box_));
  EXPECT_NE(nonce(Box::seal(key_, "[]", kPlain)), nonce(box_));
  EXPECT_NE(nonce(Box::seal(LayerKey(Key::random()), kPlace, kPlain)), nonce(box_));
  // The same bytes in a row, cut elsewhere.
  EXPECT_NE(nonce(Box::seal(key_, "ab", "c")), nonce(Box::seal(key_, "a", "bc")));
}

TEST_F(Boxes, ShowNothingOfWhatTheyHold) {
  EXPECT_EQ(box_.sealed.find("cat"), std::string::npos);
  EXPECT_EQ(box_.str().find("cat"), std::string::npos);
}

TEST_F(Boxes, AreDeniedToAnotherKey) {
  EXPECT_EQ(code_of(box_.open(LayerKey(Key::random()), kPlace)), ErrorCode::denied);
}

TEST_F(Boxes, AreCorruptUnderAKeyThatOnlyClaimsTheirName) {
  const LayerKey other(Key::random());
  const Box renamed{.key_id = other.id(), .sealed = box_.sealed};
  EXPECT_EQ(code_of(renamed.open(other, kPlace)), ErrorCode::corrupt);
}

TEST_F(Boxes, AreCorruptInAnyOtherPlaceSoThatNoneCanBeMoved) {
  for (const std::string_view place :
       {R"(["metadata","anthropic/thinking","cid:blake3:00",1])",
        R"(["content","anthropic/response","cid:blake3:00",1])",
        R"(["content","anthropic/thinking","cid:blake3:01",1])",
        R"(["content","anthropic/thinking","cid:blake3:00",2])", ""}) {
    EXPECT_EQ(code_of(box_.open(key_, place)), ErrorCode::corrupt) << place;
  }
}

TEST_F(Boxes, AreCorruptWithAnyBitOfAnyByteFlipped) {
  for (std::size_t i = 0; i < box_.sealed.size(); ++i) {
    for (int bit = 0; bit < 8; ++bit) {
      Box flipped = box_;
      flipped.sealed[i] = static_cast<char>(flipped.sealed[i] ^ 1 << bit);
      EXPECT_EQ(code_of(flipped.open(key_, kPlace)), ErrorCode::corrupt) << i << ":" << bit;
    }
  }
}

TEST_F(Boxes, AreCorruptCutShortAnywhereOrGrown) {
  for (std::size_t size = 0; size < box_.sealed.size(); ++size) {
    const Box cut{.key_id = box_.key_id, .sealed = box_.sealed.substr(0, size)};
    EXPECT_EQ(code_of(cut.open(key_, kPlace)), ErrorCode::corrupt) << size;
  }
  const Box grown{.key_id = box_.key_id, .sealed = box_.sealed + '\0'};
  EXPECT_EQ(code_of(grown.open(key_, kPlace)), ErrorCode::corrupt);
}

TEST_F(Boxes, AreCorruptUnderANonceOfTheSealersOwnChoice) {
  // Well sealed, with the right key, as only its holder could.
  const Key encryption = derive_key("weft 2026-11 layer encryption key v1", {root_.view()});
  const Box chosen{.key_id = key_.id(),
                   .sealed = aead_seal(encryption, Nonce{}, kPlace, std::string(kPlain))};
  ASSERT_EQ(aead_open(encryption, kPlace, chosen.sealed), kPlain);
  EXPECT_EQ(code_of(chosen.open(key_, kPlace)), ErrorCode::corrupt);
}

TEST_F(Boxes, ReadAfterOneByteOfTheirTextWasChangedNeverOpen) {
  const std::string text = box_.str();
  for (std::size_t i = 0; i < text.size(); ++i) {
    for (int change = 1; change < 256; ++change) {
      std::string changed = text;
      changed[i] = static_cast<char>(changed[i] ^ change);
      const Result<Box> box = Box::parse(changed);
      if (!box) {
        EXPECT_EQ(box.error().code, ErrorCode::invalid_input);
        continue;
      }
      EXPECT_EQ(box->str(), changed);
      EXPECT_FALSE(box->open(key_, kPlace)) << i << ": " << change;
    }
  }
}

TEST_F(Boxes, HaveOneSpellingSoThatOneThoughtHasOneCid) {
  const std::string id(16, 'a');
  // 40 bytes: 54 digits, the last with four bits to spare, and padding.
  const std::string digits(53, 'A');
  const std::string least = digits + "A==";
  const auto spelled = [](std::initializer_list<std::string_view> parts) {
    std::string text;
    for (const std::string_view part : parts) text += part;
    return text;
  };
  ASSERT_TRUE(Box::parse(spelled({"xc20p:", id, ":", least})));
  for (const std::string& text : {
           std::string(), spelled({"xc20p:"}), spelled({"xc20p:", id}),
           spelled({"xc20p:", id, ":"}), spelled({"xc20p:", id, least}),
           spelled({"XC20P:", id, ":", least}), spelled({"xc20p:AAAAAAAAAAAAAAAA:", least}),
           spelled({"xc20p:aaaaaaaaaaaaaaa:", least}), spelled({"xc20p:aaaaaaaaaaaaaaaaa:", least}),
           spelled({"xc20p:aaaaaaaaaaaaaaag:", least}),
           spelled({"xc20p:", id, ":", digits, "A"}),    // no padding
           spelled({"xc20p:", id, ":", digits, "B=="}),  // bits left over
           spelled({"xc20p:", id, ":", digits, "-=="}),  // the other alphabet
           spelled({"xc20p:", id, ":", least, "\n"}),    // white space
           spelled({"xc20p:", id, ": ", least}), spelled({" xc20p:", id, ":", least}),
           spelled({"xc20p:", id, ":", least, least}),          // padding in the middle
           spelled({"xc20p:", id, ":", std::string(52, 'A')}),  // 39 bytes: no room for a tag
       }) {
    const Result<Box> box = Box::parse(text);
    ASSERT_FALSE(box) << text;
    EXPECT_EQ(box.error().code, ErrorCode::invalid_input) << text;
  }
}

TEST(LayerKey, DerivesADifferentKeyForEachUse) {
  const Key root = Key::random();
  const LayerKey key(root);
  EXPECT_TRUE(key.root() == root);
  EXPECT_FALSE(key.index_terms() == root);
  EXPECT_TRUE(key.index_terms() ==
              derive_key("weft 2026-11 layer index terms key v1", {root.view()}));
  EXPECT_EQ(key.id().size(), 16u);
  EXPECT_EQ(to_hex(root.bytes()).find(key.id()), std::string::npos);
  EXPECT_NE(key.id(), LayerKey(Key::random()).id());
}

TEST(Layer, IsWrittenAsInThoughts) {
  EXPECT_EQ(to_string(Layer::metadata), "metadata");
  EXPECT_EQ(to_string(Layer::content), "content");
}

}  // namespace
}  // namespace weft::crypto

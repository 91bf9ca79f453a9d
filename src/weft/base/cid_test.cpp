#include "weft/base/cid.hpp"

#include <gtest/gtest.h>

#include <unordered_set>

namespace weft {
namespace {

Cid sample() {
  Digest digest{};
  for (std::size_t i = 0; i < digest.size(); ++i) digest[i] = static_cast<std::uint8_t>(0xA0 + i);
  return Cid(digest);
}

const std::string kSampleText =
    "cid:blake3:a0a1a2a3a4a5a6a7a8a9aaabacadaeafb0b1b2b3b4b5b6b7b8b9babbbcbdbebf";

TEST(Cid, IsReadBackFromItsText) {
  EXPECT_EQ(sample().str(), kSampleText);
  EXPECT_EQ(Cid::parse(kSampleText), sample());
}

TEST(Cid, RefusesUpperCaseSoThatOneThoughtHasOneName) {
  std::string text = kSampleText;
  text[Cid::kPrefix.size()] = 'A';
  EXPECT_EQ(Cid::parse(text).error().code, ErrorCode::invalid_input);
}

TEST(Cid, RefusesAnythingButTheWholeForm) {
  const std::string digits = kSampleText.substr(Cid::kPrefix.size());
  for (const std::string& text :
       {std::string(), digits, "cid:sha256:" + digits, "CID:BLAKE3:" + digits, kSampleText + "0",
        kSampleText + " ", " " + kSampleText, kSampleText.substr(0, kSampleText.size() - 1)}) {
    EXPECT_EQ(Cid::parse(text).error().code, ErrorCode::invalid_input) << text;
  }
}

TEST(Cid, HasABriefFormForPeople) {
  EXPECT_EQ(sample().brief(), "a0a1a2a3a4a5");
  EXPECT_EQ(sample().brief(3), "a0a");
  EXPECT_EQ(sample().brief(100).size(), 64u);
}

TEST(Cid, ComparesByItsBytesAndHashes) {
  EXPECT_LT(Cid(), sample());
  EXPECT_EQ(Cid(), Cid(Digest{}));
  EXPECT_EQ((std::unordered_set<Cid>{sample(), Cid(), sample()}).size(), 2u);
}

}  // namespace
}  // namespace weft

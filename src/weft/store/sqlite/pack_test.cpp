#include "weft/store/sqlite/pack.hpp"

#include <gtest/gtest.h>
#include <zstd.h>

#include <cctype>

#include "weft/base/file.hpp"
#include "weft/base/hex.hpp"
#include "weft/store/body.hpp"

namespace weft::store::sqlite {
namespace {

std::string spaced_hex(std::string_view bytes) {
  std::string out;
  for (const char byte : bytes) {
    const std::string digits = to_hex(std::array{static_cast<std::uint8_t>(byte)});
    if (!out.empty()) out += ' ';
    for (const char digit : digits) out += static_cast<char>(std::toupper(digit));
  }
  return out;
}

TEST(Pack, TheWorkedExampleOfThePageIsTrue) {
  const std::string page =
      read_file(std::string(WEFT_SOURCE_DIR) + "/docs/formats/store.md").value();
  const auto shows = [&](const std::string& text) { return page.find(text) != std::string::npos; };
  const std::string extra =
      pack_extra({.thought = Cid(), .anchor = thought::Anchor{"yes", "", ""}});
  std::string because;
  append_ref(because, 700, {698});
  append_ref(because, 700, {3, extra});
  EXPECT_TRUE(shows("because = " + spaced_hex(because.substr(0, 14)) + " "));
  EXPECT_TRUE(shows(std::to_string(extra.size()) + " bytes: " + extra));
  std::string signature;
  pack_signature(signature, thought::TreeSignature{.checkpoint = Cid(), .index = 12, .path = {}},
                 228, Paths::derived);
  EXPECT_TRUE(shows("signature = " + spaced_hex(signature) + " "));
  std::vector<Id> leaves;
  for (Id id = 640; id < 681; ++id) leaves.push_back(id);
  EXPECT_TRUE(shows("leaves    = " + spaced_hex(pack_leaves(leaves)) + " "));
}

TEST(Pack, VarintsHoldEveryNumberInOneSpellingOfAtMostTenBytes) {
  for (const std::uint64_t value : {std::uint64_t{0}, std::uint64_t{127}, std::uint64_t{128},
                                    std::uint64_t{1} << 63, UINT64_MAX}) {
    std::string bytes;
    append_varint(bytes, value);
    EXPECT_LE(bytes.size(), 10u);
    std::string_view rest = bytes;
    EXPECT_EQ(take_varint(rest), value);
    EXPECT_TRUE(rest.empty());
    for (std::size_t cut = 0; cut < bytes.size(); ++cut) {
      std::string_view part(bytes.data(), cut);
      EXPECT_EQ(take_varint(part), std::nullopt);
    }
  }
  std::string_view beyond("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", 10);
  EXPECT_EQ(take_varint(beyond), std::nullopt);
}

TEST(Pack, ReferencesKeepTheirOrderBothWaysFromTheThought) {
  std::string bytes;
  append_ref(bytes, 5, {9, "{}"});
  append_ref(bytes, 5, {1});
  append_ref(bytes, 5, {5});
  const auto refs = unpack_refs(bytes, 5);
  ASSERT_TRUE(refs);
  ASSERT_EQ(refs->size(), 3u);
  EXPECT_EQ((*refs)[0].thought, 9);
  EXPECT_EQ((*refs)[0].extra, "{}");
  EXPECT_EQ((*refs)[1].thought, 1);
  EXPECT_EQ((*refs)[2].thought, 5);
}

TEST(Pack, ReferencesThatEndEarlyAreCorrupt) {
  std::string bytes;
  append_ref(bytes, 300, {1, "{\"path\":\"/x\"}"});
  for (std::size_t cut = 1; cut < bytes.size(); ++cut) {
    const auto refs = unpack_refs(bytes.substr(0, cut), 300);
    ASSERT_FALSE(refs);
    EXPECT_EQ(refs.error().code, ErrorCode::corrupt);
  }
}

TEST(Pack, LeavesAreRangesAndComeBackInOrder) {
  const std::vector<Id> leaves = {10, 11, 12, 3, 40, 41};
  const auto ranges = unpack_leaves(pack_leaves(leaves));
  ASSERT_TRUE(ranges);
  std::vector<Id> back;
  for (const Range& range : *ranges) {
    for (std::uint64_t i = 0; i < range.count; ++i) {
      back.push_back(range.first + static_cast<Id>(i));
    }
  }
  EXPECT_EQ(back, leaves);
  EXPECT_EQ(ranges->size(), 3u);
  EXPECT_TRUE(unpack_leaves("")->empty());
  EXPECT_EQ(unpack_leaves("\x02").error().code, ErrorCode::corrupt);
}

TEST(Body, IsPackedWhereThatIsSmaller) {
  const json::object small = {{"text", "hi"}};
  EXPECT_EQ(pack_body(small), R"({"text":"hi"})");
  const json::object large = {{"text", std::string(100'000, 'x')}};
  const std::string packed = pack_body(large);
  EXPECT_LT(packed.size(), 200u);
  EXPECT_EQ(unpack_body(packed).value(), large);
}

TEST(Body, ThatIsNoObjectIsCorrupt) {
  const auto squeezed = [](std::string_view text) {
    std::string out(ZSTD_compressBound(text.size()), '\0');
    out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 1));
    return out;
  };
  for (const std::string& bytes :
       {std::string(), std::string("{"), std::string("[1]"), squeezed("[1]"), squeezed(""),
        squeezed("{}") + "more", std::string("\x28\xb5\x2f\xfd")}) {
    const auto body = unpack_body(bytes);
    ASSERT_FALSE(body);
    EXPECT_EQ(body.error().code, ErrorCode::corrupt);
  }
}

TEST(Body, ThatSaysItIsHugeTakesNoMemoryForIt) {
  const json::object large = {{"text", std::string(5'000'000, 'x')}};
  std::string packed = pack_body(large);
  EXPECT_EQ(unpack_body(packed).value(), large) << "unpacked in pieces";
  // The frame's header holds the size in the four bytes after magic and descriptor.
  for (std::size_t at = 4; at < 10; ++at) {
    std::string damaged = packed;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x20);
    const auto body = unpack_body(damaged);
    EXPECT_TRUE(body || body.error().code == ErrorCode::corrupt);
  }
}

}  // namespace
}  // namespace weft::store::sqlite

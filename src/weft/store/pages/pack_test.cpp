#include "weft/store/pages/pack.hpp"

#include <gtest/gtest.h>
#include <zstd.h>

#include "weft/base/file.hpp"
#include "weft/base/hex.hpp"
#include "weft/store/body.hpp"
#include "weft/store/pages/spaced_hex_for_test.hpp"

namespace weft::store::sql {
namespace {

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
  const std::optional<std::string> turn = pack_turn(
      R"({"conversation":")" + Cid().str() +
          R"(","role":"assistant","sequence":12,"source_id":"01234567-89ab-cdef-0123-456789abcdef"})",
      700, Cid(), 640);
  EXPECT_TRUE(shows("body      = " + spaced_hex(turn->substr(0, 8)) + " "));
}

TEST(Pack, SignaturesOfAKeyAreToldByTheirSizeAndStillReadAsTheyWere) {
  crypto::SignatureBytes bytes;
  bytes.fill(2);  // what a tree's would begin with
  std::string packed;
  pack_signature(packed, bytes, 0, Paths::kept);
  EXPECT_EQ(packed.size(), 64u);
  for (const std::string& stored : {packed, "\x01" + packed}) {
    const Result<PackedSignature> signature = unpack_signature(stored);
    ASSERT_TRUE(signature);
    EXPECT_EQ(signature->kind, PackedSignature::Kind::ed25519);
    EXPECT_EQ(signature->bytes, bytes);
  }
  for (const Id checkpoint : {Id{1}, INT64_MAX}) {
    for (const std::uint64_t leaf : {std::uint64_t{0}, UINT64_MAX}) {
      for (std::size_t nodes = 0; nodes < 4; ++nodes) {
        pack_signature(packed,
                       thought::TreeSignature{.index = leaf, .path = std::vector<Digest>(nodes)},
                       checkpoint, Paths::kept);
        EXPECT_EQ(unpack_signature(packed)->leaf, leaf);
        EXPECT_EQ(unpack_signature(packed)->path.size(), nodes);
      }
    }
  }
}

TEST(Pack, TurnsSayTheirConversationById) {
  Digest digest;
  ASSERT_TRUE(parse_hex(std::string(64, 'c'), digest));
  const Cid conversation(digest);
  const std::string head = R"({"conversation":")" + conversation.str();
  const std::string uuid = R"("01234567-89ab-cdef-0123-456789abcdef")";
  const std::string parent = R"(","parent":"cid:blake3:)" + std::string(64, 'd');
  struct Case {
    std::string text;
    std::size_t size;  // packed; 0 where it is kept as it is
  };
  for (
      const auto& [text, size] : {
          Case{head + R"(","role":"human","sequence":0})", 4},
          {head + R"(","role":"system","sequence":300,"source_id":)" + uuid + "}", 21},
          {head + R"(","role":"assistant","sequence":1,"source_id":"a \"b\""})", 11},
          {head + R"(","role":"assistant","sequence":1,"source_id":""})", 4},
          {head + parent + R"(","role":"human","sequence":2,"source_id":)" + uuid + "}", 52},
          // Not as uuids are written.
          {head +
               R"(","role":"human","sequence":2,"source_id":"01234567-89AB-cdef-0123-456789abcdef"})",
           40},
          {head + R"(","role":"tool","sequence":0})", 0},
          {head + R"(","role":"human","sequence":-1})", 0},
          {head + R"(","role":"human","sequence":1.5})", 0},
          {head + R"(","role":"human","sequence":"1"})", 0},
          {head + R"(","role":"human"})", 0},
          {head + R"(","role":"human","sequence":0,"more":1})", 0},
          {head + R"(","role":"human","sequence":0,"source_id":7})", 0},
          {R"({"conversation":"cid:blake3:)" + std::string(64, 'e') +
               R"(","role":"human","sequence":0})",
           0},
          {"{}", 0},
      }) {
    const std::optional<std::string> packed = pack_turn(text, 120, conversation, 100);
    ASSERT_EQ(packed ? packed->size() : 0, size) << text;
    if (!packed) continue;
    EXPECT_TRUE(is_packed_turn(*packed));
    const Result<PackedTurn> turn = unpack_turn(*packed, 120);
    ASSERT_TRUE(turn) << text;
    EXPECT_EQ(turn->conversation, 100);
    std::string again;
    append_turn(again, *turn, conversation);
    EXPECT_EQ(again, text);
    for (std::size_t cut = 0; cut < packed->size(); ++cut) {
      const Result<PackedTurn> part = unpack_turn(packed->substr(0, cut), 120);
      EXPECT_TRUE(part || part.error().code == ErrorCode::corrupt);
    }
  }
  for (const std::string_view bytes : {"\x02\x03\x28\x01", "\x02\x20\x28\x01", "\x02\x18\x28\x01",
                                       "\x02\x01\x28\x01\x01", "\x02\x08\x28\x01"}) {
    EXPECT_EQ(unpack_turn(bytes, 120).error().code, ErrorCode::corrupt);
  }
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

TEST(Body, OfAnOlderStoreIsReadAsItWasPacked) {
  const json::object content = {{"result_text", "the shuttle is stuck, the shuttle is stuck again"},
                                {"is_error", false},
                                {"tool_name", "Bash"}};
  // By dictionary 1, as stores before version 7 have it.
  constexpr std::string_view kHex =
      "0128b52ffd206685010004027b7468652073687574746c6520697320737475636b2c2020616742617368"
      "227d0400138b83e3f230e4d03dc6df15";
  std::string bytes(kHex.size() / 2, '\0');
  ASSERT_TRUE(
      parse_hex(kHex, std::span(reinterpret_cast<std::uint8_t*>(bytes.data()), bytes.size())));
  EXPECT_EQ(unpack_body(bytes).value(), content);
  const std::string now = pack_body(content);
  EXPECT_EQ(now.front(), '\x03');
  EXPECT_EQ(unpack_body(now).value(), content);
  bytes.front() = '\x03';
  EXPECT_EQ(unpack_body(bytes).error().code, ErrorCode::corrupt) << "the first byte tells which";
  EXPECT_EQ(unpack_body("\x01" + now.substr(1)).error().code, ErrorCode::corrupt);
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
}  // namespace weft::store::sql

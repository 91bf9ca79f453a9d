#include "weft/store/tables/secret_list.hpp"

#include <gmock/gmock.h>

#include <limits>

#include "weft/secrets/mint_for_test.hpp"
#include "weft/store/pages/spaced_hex_for_test.hpp"

namespace weft::store {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

Fingerprint fingerprint_of(std::uint8_t first) {
  Fingerprint name{};
  for (std::size_t i = 0; i < name.size(); ++i) name[i] = static_cast<std::uint8_t>(first + i);
  return name;
}

std::vector<SecretRow> some_rows() {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  return {{.thought = kMost,
           .place = {.member = "/content/a", .offset = 7, .length = 40, .rule = "npm-token"}},
          {.thought = 3,
           .place = {.member = "",
                     .offset = std::numeric_limits<std::uint64_t>::max(),
                     .fingerprint = fingerprint_of(200)}},
          {.thought = 5, .place = {.portion = Portion::content, .member = "/content/text"}}};
}

std::vector<SecretRow> unpacked(std::string_view bytes, Portion portion) {
  std::vector<SecretRow> out;
  const Status status = unpack_secrets(bytes, portion, out);
  EXPECT_TRUE(status) << status.error().message;
  return out;
}

TEST(SecretList, ReadsWhatItPacks) {
  const auto rows = some_rows();
  auto read = unpacked(pack(rows, Portion::clear), Portion::clear);
  for (SecretRow& row : unpacked(pack(rows, Portion::content), Portion::content)) {
    read.push_back(std::move(row));
  }
  EXPECT_EQ(read, rows);
  EXPECT_EQ(pack(rows, Portion::metadata), "");
  EXPECT_TRUE(unpacked("", Portion::clear).empty());
}

// docs/formats/store.md, "Secrets".
TEST(SecretList, PacksTheWorkedExample) {
  const std::vector<SecretRow> rows = {{.thought = 700,
                                        .place = {.member = "/content/text",
                                                  .offset = 10,
                                                  .length = 40,
                                                  .rule = "npm-token",
                                                  .fingerprint = fingerprint_of(0)}}};
  EXPECT_EQ(sql::spaced_hex(pack(rows, Portion::clear)),
            "F8 0A 09 6E 70 6D 2D 74 6F 6B 65 6E "
            "0D 2F 63 6F 6E 74 65 6E 74 2F 74 65 78 74 0A 28 "
            "00 01 02 03 04 05 06 07 08 09 0A 0B 0C 0D 0E 0F "
            "10 11 12 13 14 15 16 17 18 19 1A 1B 1C 1D 1E 1F");
}

TEST(SecretList, EveryCutAndEveryByteIsReadOrCorrupt) {
  const std::string packed = pack(some_rows(), Portion::clear);
  for (std::size_t at = 0; at < packed.size(); ++at) {
    std::vector<SecretRow> rows;
    const Status cut = unpack_secrets(packed.substr(0, at), Portion::clear, rows);
    EXPECT_TRUE(cut || cut.error().code == ErrorCode::corrupt) << at;
    std::string other = packed;
    other[at] = static_cast<char>(other[at] ^ 0x80);
    rows.clear();
    const Status changed = unpack_secrets(other, Portion::clear, rows);
    EXPECT_TRUE(changed || changed.error().code == ErrorCode::corrupt) << at;
  }
}

struct Seen {
  std::string member, value;
  friend bool operator==(const Seen&, const Seen&) = default;
};
std::vector<Seen> seen_in(const json::object& members) {
  std::vector<Seen> seen;
  each_secret(members, "/content", secrets::Tier::sure, [&](const FoundSecret& found) {
    seen.push_back({std::string(found.member), std::string(found.value())});
  });
  return seen;
}

TEST(SecretList, FindsWhatStandsAtAnyDepthAndInNames) {
  secrets::Mint mint(3);
  const auto shapes = secrets::all_shapes();
  const std::string one = mint.token(shapes[0]), two = mint.token(shapes[4]),
                    three = mint.token(shapes[5]);
  const json::object members{
      {"a/b~c", json::array{"plain", json::object{{"deep", "x " + one + " y"}}}},
      {"env", json::object{{two, "v " + three}}},
      {"count", 3}};
  const auto seen = seen_in(members);
  ASSERT_EQ(seen.size(), 3u);
  EXPECT_EQ(seen[0], (Seen{"/content/a~1b~0c/1/deep", one}));
  EXPECT_EQ(seen[1].value, two);
  EXPECT_EQ(seen[2].value, three);
  for (const Seen& place : seen) {
    EXPECT_THAT(place.member, AllOf(Not(HasSubstr(one)), Not(HasSubstr(two)))) << "no value";
  }
  EXPECT_EQ(seen[2].member, "/content/env/[secret aws-bedrock-key]");
}

TEST(SecretList, APlaceSaysWhichLayerSealsIt) {
  const auto keyring = *crypto::Keyring::create("Ada", 1'000, crypto::SealMode::all);
  secrets::Mint mint(4);
  const std::string token = mint.token(secrets::all_shapes()[0]);
  thought::Thought thought;
  thought.type = "test/response";
  thought.content = {{"text", "use " + token}};
  const OpenLayers layers{.metadata = R"({"tool_name":")" + token + R"("})",
                          .content = R"({"text":"\n)" + token + R"("})"};
  const auto found = secrets_of(thought, layers, Fingerprints(&keyring));
  EXPECT_TRUE(found.is_whole);
  ASSERT_EQ(found.places.size(), 3u);
  const Fingerprint name = Fingerprints(&keyring).of(token);
  EXPECT_EQ(found.places[0], (SecretPlace{.portion = Portion::clear,
                                          .member = "/content/text",
                                          .offset = 4,
                                          .length = token.size(),
                                          .rule = "aws-access-key",
                                          .fingerprint = name}));
  EXPECT_EQ(found.places[1].portion, Portion::metadata);
  EXPECT_EQ(found.places[2].portion, Portion::content);
  EXPECT_EQ(found.places[2].offset, 1u);
  thought.type = "test/turn";
  EXPECT_TRUE(secrets_of(thought, layers, Fingerprints(&keyring)).places.empty());
}

TEST(SecretList, FingerprintsOfOthersDiffer) {
  const auto ada = *crypto::Keyring::create("Ada", 1'000, crypto::SealMode::thinking);
  const auto eve = *crypto::Keyring::create("Eve", 1'000, crypto::SealMode::thinking);
  EXPECT_EQ(Fingerprints(&ada).of("x"), Fingerprints(&ada).of("x"));
  EXPECT_NE(Fingerprints(&ada).of("x"), Fingerprints(&ada).of("y"));
  EXPECT_NE(Fingerprints(&ada).of("x"), Fingerprints(&eve).of("x"));
  EXPECT_NE(Fingerprints(&ada).of("x"), Fingerprints(nullptr).of("x"));
  const auto metadata = crypto::Keyring::parse(*ada.exported(crypto::Reach::metadata), {}).value();
  EXPECT_FALSE(Fingerprints::has_key(&metadata));
}

}  // namespace
}  // namespace weft::store

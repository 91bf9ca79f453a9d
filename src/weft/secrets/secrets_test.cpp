#include <gmock/gmock.h>

#include "weft/secrets/checksum.hpp"
#include "weft/secrets/mint_for_test.hpp"
#include "weft/secrets/secret.hpp"
#include "weft/secrets/shapes.hpp"

namespace weft::secrets {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> found_in(std::string_view text, Tier least = Tier::sure) {
  std::vector<std::string> out;
  for (const Finding& found : find_secrets(text, least)) {
    out.push_back(std::string(found.rule->name) + " " +
                  std::string(text.substr(found.offset, found.length)));
  }
  return out;
}

TEST(Secrets, EveryShapeIsFoundInEverySurrounding) {
  Mint mint(7);
  for (const Shape& shape : all_shapes()) {
    for (int i = 0; i < 20; ++i) {
      const std::string token = mint.token(shape);
      const std::string expected = std::string(shape.rule.name) + " " + token;
      EXPECT_THAT(found_in(token), ElementsAre(expected)) << shape.pattern;
      EXPECT_THAT(found_in("export TOKEN=" + token + "\n"), ElementsAre(expected)) << shape.pattern;
      EXPECT_THAT(found_in("{\"a\":\"use\\n" + token + "\\n\"}"), ElementsAre(expected))
          << shape.pattern;
      EXPECT_THAT(found_in("Authorization: Bearer " + token + ", and more."), ElementsAre(expected))
          << shape.pattern;
      if (shape.before.empty()) EXPECT_THAT(found_in("x" + token), IsEmpty()) << shape.pattern;
    }
  }
}

TEST(Secrets, ATokenWithAWrongChecksumIsNone) {
  Mint mint(8);
  for (const Shape& shape : all_shapes()) {
    if (!shape.has_checksum) continue;
    std::string token = mint.token(shape);
    token.back() = token.back() == 'Q' ? 'P' : 'Q';
    EXPECT_THAT(found_in(token), IsEmpty()) << token;
  }
}

TEST(Secrets, ChecksumsAreThoseOfTheirStandards) {
  EXPECT_TRUE(has_crc32("ghp_1234567893jZRME"));  // CRC-32 of "123456789" is cbf43926
  EXPECT_FALSE(has_crc32("ghp_1234567893jZRMF"));
  // From BIP 173.
  EXPECT_TRUE(has_bech32("A12UEL5L"));
  EXPECT_TRUE(has_bech32("abcdef1qpzry9x8gf2tvdw0s3jn54khce6mua7lmqqqxw"));
  EXPECT_TRUE(has_bech32("split1checkupstagehandshakeupstreamerranterredcaperred2y9e3w"));
  EXPECT_FALSE(has_bech32("split1cheo2y9e2w"));
  EXPECT_FALSE(has_bech32("A1G7SGD8"));
}

TEST(Secrets, PlaceholdersAreNotFound) {
  for (const std::string_view text :
       {"AKIAIOSFODNN7EXAMPLE", "AKIAXXXXXXXXXXXXXXXX", "sk_live_xxxxxxxxxxxxxxxxxxxxxxxx",
        "glpat-12345678901234567890", "hf_abcdefghijklmnopqrstuvwxyzABCDEFGH", "sk-ant-api03-...AA",
        "AIzaSyABCDEFGHIJKLMNOPQRSTUVWXYZ1234567", "postgres://user:password@db.example.com/app",
        "postgres://app:${DB_PASSWORD}@db.internal.net/app", "redis://default:<password>@h.io:6379",
        "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9."
        "eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiaW"
        "F0IjoxNTE2MjM5MDIyfQ.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c",
        "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----",
        "-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE\n-----END PUBLIC "
        "KEY-----"}) {
    EXPECT_THAT(found_in(text), IsEmpty());
  }
}

TEST(Secrets, HashesAndNamesAreNot) {
  EXPECT_THAT(
      found_in(
          "commit da39a3ee5e6b4b0d3255bfef95601890afd80709\n"
          "cid:blake3:af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262\n"
          "44444444-dddd-4ddd-8ddd-444444444444 01ARZ3NDEKTSV4RRFFQ69G5FAV\n"
          "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk"
          "someVeryLongCamelCaseIdentifierThatGoesOnAndOn npm_config_registry hf_hub_download"),
      IsEmpty());
}

TEST(Secrets, APrivateKeyIsFoundWholeAlsoEscaped) {
  const std::string body =
      "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgevZzL1gdAFr88hb2OF2\n"
      "2NOWq9R8y1hcf1DE2WNcIXzahRANCAAQx\n";
  const std::string key =
      "-----BEGIN EC PRIVATE KEY-----\n" + body + "-----END EC PRIVATE KEY-----";
  EXPECT_THAT(found_in("key:\n" + key + "\nend"), ElementsAre("private-key " + key));
  std::string escaped = key;
  for (std::size_t at = 0; (at = escaped.find('\n', at)) != std::string::npos;)
    escaped.replace(at, 1, "\\n");
  EXPECT_THAT(found_in("{\"key\":\"" + escaped + "\"}"), ElementsAre("private-key " + escaped));
}

TEST(Secrets, PasswordsOfConnectionStrings) {
  EXPECT_THAT(found_in("DATABASE_URL=postgres://app:k7Hq2wLm9@db.north.internal.net:5432/app"),
              ElementsAre("connection-string k7Hq2wLm9"));
  EXPECT_THAT(found_in("mongodb+srv://me:v8-Tr3p@cluster0.ab12c.mongodb.net"),
              ElementsAre("connection-string v8-Tr3p"));
  EXPECT_THAT(found_in("postgres://app:k7Hq2wLm9@localhost/app"), IsEmpty());
  EXPECT_THAT(found_in("https://me:k7Hq2wLm9@git.north.net/x", Tier::likely),
              ElementsAre("url-password k7Hq2wLm9"));
}

TEST(Secrets, AssignedValuesAreLikely) {
  EXPECT_THAT(found_in("API_KEY=9f8Zk2LqW7xB4mT1vR6y"), IsEmpty());
  EXPECT_THAT(found_in("API_KEY=9f8Zk2LqW7xB4mT1vR6y", Tier::likely),
              ElementsAre("assigned-secret 9f8Zk2LqW7xB4mT1vR6y"));
  EXPECT_THAT(found_in("\"client_secret\": \"9f8Zk2LqW7xB4mT1vR6y\"", Tier::likely),
              ElementsAre("assigned-secret 9f8Zk2LqW7xB4mT1vR6y"));
  EXPECT_THAT(found_in("apiKey == \"\" and keyboardLayout = someOtherIdentifier", Tier::likely),
              IsEmpty());
}

TEST(Secrets, AMaskNamesTheRuleAndNotTheValue) {
  Mint mint(9);
  const std::string token = mint.token(all_shapes()[0]);
  const std::string text = "a " + token + " b " + token;
  EXPECT_EQ(masked(text, find_secrets(text), [](std::string_view) { return "3f2a"; }),
            "a [secret aws-access-key #3f2a] b [secret aws-access-key #3f2a]");
}

TEST(Secrets, AnyCutOfAnyTextReturns) {
  Mint mint(10);
  std::string text = "-----BEGIN RSA PRIVATE KEY-----\n://a:b@c =:";
  for (const Shape& shape : all_shapes()) text += mint.token(shape) + "\\n";
  for (std::size_t cut = 0; cut < text.size(); cut += 7) {
    (void)find_secrets(std::string_view(text).substr(0, cut), Tier::likely);
    (void)find_secrets(std::string_view(text).substr(cut), Tier::likely);
  }
}

}  // namespace
}  // namespace weft::secrets

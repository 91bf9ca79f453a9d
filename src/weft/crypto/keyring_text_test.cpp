#include <functional>
#include <optional>

#include "weft/crypto/keyring.hpp"
#include "weft/crypto/keyring_lock.hpp"
#include "weft/crypto/vectors_for_test.hpp"

namespace weft::crypto {
namespace {

const std::string kSeed(64, '1');
const std::string kSecret(64, '2');

std::string pubkey_of(const std::string& seed) {
  return SigningKey(test::key_of(test::from_hex(seed))).public_key().str();
}

// The text of an owner's keyring with one part of it replaced.
std::string edited(std::string_view from = "", std::string_view to = "") {
  std::string text = R"({"kind":"owner","owner":{"created_at":5,"name":"Ada","pubkey":")" +
                     pubkey_of(kSeed) + R"("},"seal":"all","secrets":{"owner_seed":")" + kSeed +
                     R"(","secret":")" + kSecret + "\"},\"weft_keyring\":1}\n";
  if (from.empty()) return text;
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

std::function<Result<std::string>()> answer(const std::string& passphrase) {
  return [passphrase] { return passphrase; };
}

TEST(KeyringText, IsReadAndWrittenByteForByte) {
  const Keyring keyring = Keyring::parse(edited(), {}).value();
  EXPECT_EQ(keyring.owner_name(), "Ada");
  EXPECT_EQ(keyring.created_at(), 5);
  EXPECT_EQ(keyring.seal_mode(), SealMode::all);
  EXPECT_EQ(keyring.to_text(std::nullopt).value(), edited());
}

TEST(KeyringText, IsCanonicalJsonWhateverTheName) {
  const Keyring keyring = Keyring::create("Ада \"Countess\" \\ 愛", 7, SealMode::thinking).value();
  for (const std::string& text :
       {keyring.to_text(std::nullopt).value(), keyring.to_text("passphrase").value(),
        keyring.exported(Reach::content).value(), keyring.exported(Reach::metadata).value()}) {
    EXPECT_EQ(canonical_json(parse_json(text).value().value) + "\n", text);
  }
  const Keyring read = Keyring::parse(keyring.to_text(std::nullopt).value(), {}).value();
  EXPECT_EQ(read.owner_name(), keyring.owner_name());
}

TEST(KeyringText, DoesNotAskForAPassphraseItDoesNotNeed) {
  const auto ask = []() -> Result<std::string> {
    ADD_FAILURE() << "asked";
    return "";
  };
  EXPECT_TRUE(Keyring::parse(edited(), ask));
}

TEST(KeyringText, NamesTheMemberThatIsWrongAndRepeatsNoSecret) {
  const std::string key = pubkey_of(kSeed);
  const struct {
    std::string text, named;
  } cases[] = {
      {"", "keyring"},
      {"[]", "object"},
      {"{}", "weft_keyring"},
      {edited("\"weft_keyring\":1", "\"weft_keyring\":\"1\""), "weft_keyring"},
      {edited("\"weft_keyring\":1", "\"weft_keyring\":1.0"), "weft_keyring"},
      {edited("\"kind\":\"owner\"", "\"kind\":\"" + kSecret + "\""), "kind"},
      {edited("\"kind\":\"owner\",", ""), "kind"},
      {edited("\"name\":\"Ada\"", "\"name\":\"\""), "name"},
      {edited("\"name\":\"Ada\"", "\"name\":\"\\u0000\""), "name"},
      {edited("\"name\":\"Ada\"", "\"name\":5"), "name"},
      {edited("\"created_at\":5", "\"created_at\":-5"), "created_at"},
      {edited("\"created_at\":5", "\"created_at\":\"5\""), "created_at"},
      {edited(key, key.substr(1)), "pubkey"},
      {edited("\"seal\":\"all\"", "\"seal\":\"none\""), "seal"},
      {edited("\"seal\":\"all\",", ""), "seal"},
      {edited("\"name\":\"Ada\"", "\"name\":\"Ada\",\"" + kSecret + "\":1"), "owner"},
      {edited("\"seal\":\"all\"", "\"seal\":\"all\",\"" + kSecret + "\":1"), "the file"},
      {edited("\"secrets\":{", "\"secrets\":{\"more\":1,"), "secrets"},
      {edited("\"secrets\":{", "\"secretz\":{"), "secrets"},
      {edited(kSeed, kSeed.substr(1)), "owner_seed"},
      {edited(kSeed, std::string(64, 'A')), "owner_seed"},
      {edited(kSecret, kSecret + "2"), "secret"},
      {edited(",\"secret\":\"" + kSecret + "\"", ""), "secret"},
      {edited("\"secrets\":", "\"secrets\":{},\"secrets\":"), "each key once"},
      {edited("\"seal\":\"all\"", "\"seal\":\"all\",\"lock\":{}"), "the file"},
      // A keyring that holds more than its kind says.
      {edited("\"kind\":\"owner\"", "\"kind\":\"content\""), "metadata_key"},
      {edited("\"kind\":\"owner\"", "\"kind\":\"metadata\""), "metadata_key"},
      {edited() + std::string(Keyring::kMaxTextBytes, ' '), "128 KiB"},
  };
  for (const auto& [text, named] : cases) {
    const Result<Keyring> keyring = Keyring::parse(text, {});
    ASSERT_FALSE(keyring) << text;
    const auto& [code, message] = keyring.error();
    EXPECT_EQ(code, ErrorCode::invalid_input) << text;
    EXPECT_NE(message.find(named), std::string::npos) << message;
    EXPECT_EQ(message.find(kSecret.substr(0, 8)), std::string::npos) << message;
    EXPECT_EQ(message.find(kSeed.substr(0, 8)), std::string::npos) << message;
  }
}

TEST(KeyringText, OfANewerVersionIsRefusedByThatWordWhateverElseItHolds) {
  const Result<Keyring> keyring = Keyring::parse(R"({"weft_keyring":3,"soul":"?"})", {});
  ASSERT_FALSE(keyring);
  EXPECT_EQ(keyring.error().code, ErrorCode::invalid_input);
  EXPECT_NE(keyring.error().message.find("version 3"), std::string::npos);
  EXPECT_NE(keyring.error().message.find("install a newer weft"), std::string::npos);
}

TEST(KeyringText, IsCorruptIfItsSeedGivesAnotherPublicKey) {
  const Result<Keyring> keyring = Keyring::parse(edited(pubkey_of(kSeed), pubkey_of(kSecret)), {});
  ASSERT_FALSE(keyring);
  EXPECT_EQ(keyring.error().code, ErrorCode::corrupt);
}

TEST(KeyringText, CutShortAnywhereIsRefused) {
  const std::string text = edited();
  for (std::size_t size = 0; size + 1 < text.size(); ++size) {
    const Result<Keyring> keyring = Keyring::parse(text.substr(0, size), {});
    ASSERT_FALSE(keyring) << size;
    EXPECT_EQ(keyring.error().code, ErrorCode::invalid_input) << size;
  }
}

TEST(ExportedText, WithAKeyBeyondItsKindIsRefused) {
  const Keyring owner = Keyring::parse(edited(), {}).value();
  std::string text = owner.exported(Reach::content).value();
  ASSERT_TRUE(Keyring::parse(text, {}));
  text.replace(text.find("\"content\""), 9, "\"metadata\"");
  const Result<Keyring> keyring = Keyring::parse(text, {});
  ASSERT_FALSE(keyring);
  EXPECT_EQ(keyring.error().code, ErrorCode::invalid_input);
}

class LockedKeyring : public ::testing::Test {
 protected:
  // Argon2id at its least cost, so that it can be tried thousands of times.
  static std::string cheaply_locked() {
    const std::string page = test::read_source_file("docs/formats/keyring.md");
    const std::size_t start = page.find("```json locked\n") + 15;
    const std::string block = page.substr(start, page.find("```", start) - start);
    return canonical_json(parse_json(block).value().value);
  }
  static constexpr const char* kPassphrase = "correct horse battery staple";
};

TEST_F(LockedKeyring, OpensWithItsPassphraseToTheSameKeyring) {
  const Keyring keyring = Keyring::parse(edited(), {}).value();
  const std::string text = keyring.to_text("open sesame").value();
  EXPECT_EQ(text.find(kSeed), std::string::npos);
  EXPECT_EQ(text.find(kSecret), std::string::npos);
  const Keyring opened = Keyring::parse(text, answer("open sesame")).value();
  EXPECT_EQ(opened.to_text(std::nullopt).value(), edited());
}

TEST_F(LockedKeyring, MayBeAnExportedOneToo) {
  const Keyring owner = Keyring::parse(edited(), {}).value();
  const std::string plain = owner.exported(Reach::content).value();
  const std::string text = Keyring::parse(plain, {}).value().to_text("open sesame").value();
  const Keyring opened = Keyring::parse(text, answer("open sesame")).value();
  EXPECT_EQ(opened.to_text(std::nullopt).value(), plain);
}

TEST_F(LockedKeyring, IsLockedDifferentlyEachTimeSoThatNothingShowsBetweenTwo) {
  const Keyring keyring = Keyring::parse(edited(), {}).value();
  EXPECT_NE(keyring.to_text("open sesame").value(), keyring.to_text("open sesame").value());
}

TEST_F(LockedKeyring, IsDeniedToAWrongPassphrase) {
  for (const std::string& wrong : {std::string(), std::string("open sesame"),
                                   std::string(kPassphrase) + "\n", std::string(kPassphrase, 5)}) {
    const Result<Keyring> keyring = Keyring::parse(cheaply_locked(), answer(wrong));
    ASSERT_FALSE(keyring);
    EXPECT_EQ(keyring.error().code, ErrorCode::denied);
    EXPECT_EQ(keyring.error().message.find("sesame"), std::string::npos);
  }
}

TEST_F(LockedKeyring, IsDeniedWhereNobodyCanBeAsked) {
  const Result<Keyring> keyring = Keyring::parse(cheaply_locked(), {});
  ASSERT_FALSE(keyring);
  EXPECT_EQ(keyring.error().code, ErrorCode::denied);
}

TEST_F(LockedKeyring, PassesOnWhyNoPassphraseCouldBeHad) {
  const auto ask = []() -> Result<std::string> { return fail(ErrorCode::unavailable, "no tty"); };
  const Result<Keyring> keyring = Keyring::parse(cheaply_locked(), ask);
  ASSERT_FALSE(keyring);
  EXPECT_EQ(keyring.error().code, ErrorCode::unavailable);
}

TEST_F(LockedKeyring, WithAnyByteChangedNeverOpens) {
  const std::string text = cheaply_locked();
  ASSERT_TRUE(Keyring::parse(text, answer(kPassphrase)));
  for (std::size_t i = 0; i < text.size(); ++i) {
    for (const int change : {0x01, 0x20, 0x80}) {
      std::string changed = text;
      changed[i] = static_cast<char>(changed[i] ^ change);
      EXPECT_FALSE(Keyring::parse(changed, answer(kPassphrase))) << i << ": " << changed;
    }
  }
}

TEST_F(LockedKeyring, ThatAsksForTheWholeMachineIsRefusedBeforeThePassphraseIsAskedFor) {
  const auto ask = []() -> Result<std::string> {
    ADD_FAILURE() << "asked";
    return "";
  };
  const std::string memory = "\"memory_kib\":64";
  const std::string passes = "\"passes\":1";
  for (const auto& [from, to] : {
           std::pair{memory, std::string("\"memory_kib\":262145")},
           {memory, "\"memory_kib\":9223372036854775807"},
           {memory, "\"memory_kib\":18446744073709551615"},
           {memory, "\"memory_kib\":7"},
           {memory, "\"memory_kib\":-64"},
           {memory, "\"memory_kib\":\"64\""},
           {passes, "\"passes\":0"},
           {passes, "\"passes\":11"},
           {std::string("argon2id"), "argon2i"},
           {std::string("\"salt\":\""), "\"salt\":\"00"},
           {std::string("\"sealed\":\""), "\"sealed\":\"0"},
           {std::string("\"kdf\":"), "\"more\":1,\"kdf\":"},
       }) {
    std::string text = cheaply_locked();
    text.replace(text.find(from), from.size(), to);
    const Result<Keyring> keyring = Keyring::parse(text, ask);
    ASSERT_FALSE(keyring) << to;
    EXPECT_EQ(keyring.error().code, ErrorCode::invalid_input) << to;
  }
}

TEST_F(LockedKeyring, IsNotMadeWithAnEmptyPassphrase) {
  const Result<std::string> text = Keyring::parse(edited(), {}).value().to_text("");
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().code, ErrorCode::invalid_input);
}

}  // namespace
}  // namespace weft::crypto

#include "weft/crypto/keyring.hpp"

#include <optional>

#include "weft/crypto/vectors_for_test.hpp"

namespace weft::crypto {
namespace {

constexpr Millis kNow = 1'793'491'200'000;

Keyring new_keyring(SealMode seal = SealMode::thinking) {
  return Keyring::create("Ada Lovelace", kNow, seal).value();
}

Keyring exported(const Keyring& keyring, Reach reach) {
  return Keyring::parse(keyring.exported(reach).value(), {}).value();
}

TEST(Keyring, OfANewOwnerKnowsThemAndDoesEverything) {
  const Keyring keyring = new_keyring(SealMode::all);
  EXPECT_EQ(keyring.kind(), KeyringKind::owner);
  EXPECT_EQ(keyring.owner_name(), "Ada Lovelace");
  EXPECT_EQ(keyring.created_at(), kNow);
  EXPECT_EQ(keyring.seal_mode(), SealMode::all);
  ASSERT_TRUE(keyring.can_sign());
  EXPECT_EQ(keyring.owner_signing_key().public_key(), keyring.owner_key());
  const SignatureBytes signature = keyring.owner_signing_key().sign("cid");
  EXPECT_TRUE(keyring.owner_key().verifies(signature, "cid"));
  EXPECT_NE(keyring.layer(Layer::metadata), nullptr);
  EXPECT_NE(keyring.layer(Layer::content), nullptr);
}

TEST(Keyring, SharesNothingWithTheNextOneOfTheSameName) {
  const Keyring one = new_keyring();
  const Keyring two = new_keyring();
  EXPECT_NE(one.owner_key(), two.owner_key());
  EXPECT_NE(one.layer(Layer::metadata)->id(), two.layer(Layer::metadata)->id());
  EXPECT_FALSE(one.source_hash_key() == two.source_hash_key());
  EXPECT_NE(one.custodial_key("{}").public_key(), two.custodial_key("{}").public_key());
}

TEST(Keyring, KeepsItsLayersApart) {
  const Keyring keyring = new_keyring();
  EXPECT_NE(keyring.layer(Layer::metadata)->id(), keyring.layer(Layer::content)->id());
  const Box box = Box::seal(*keyring.layer(Layer::content), "[]", "{}");
  const Result<std::string> opened = box.open(*keyring.layer(Layer::metadata), "[]");
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, ErrorCode::denied);
}

TEST(Keyring, GivesOneAuthorOneCustodialKeyAcrossConversations) {
  const Keyring keyring = new_keyring();
  const std::string facts = R"({"kind":"model","name":"m-1","provider":"p"})";
  const PublicKey key = keyring.custodial_key(facts).public_key();
  EXPECT_EQ(keyring.custodial_key(facts).public_key(), key);
  EXPECT_NE(keyring.custodial_key(R"({"kind":"model","name":"m-2"})").public_key(), key);
  EXPECT_NE(keyring.custodial_key("").public_key(), key);
  EXPECT_NE(key, keyring.owner_key());
}

TEST(Keyring, RefusesNamesThatNoFileCouldHold) {
  const std::string longest(Keyring::kMaxNameBytes, 'n');
  EXPECT_TRUE(Keyring::create(longest, kNow, SealMode::thinking));
  EXPECT_TRUE(Keyring::create("Ада \"Countess\" \\ 愛", kNow, SealMode::thinking));
  for (const std::string& name :
       {std::string(), longest + "n", std::string("a\nb"), std::string("a\0b", 3),
        std::string("a\x7f"), std::string("\xff"), std::string("\xed\xa0\x80")}) {
    const Result<Keyring> keyring = Keyring::create(name, kNow, SealMode::thinking);
    ASSERT_FALSE(keyring) << name;
    EXPECT_EQ(keyring.error().code, ErrorCode::invalid_input);
  }
}

TEST(Keyring, IsNoOlderThanTheMillisecondsThatThoughtsCount) {
  EXPECT_TRUE(Keyring::create("Ada", 0, SealMode::thinking));
  EXPECT_EQ(Keyring::create("Ada", -1, SealMode::thinking).error().code, ErrorCode::invalid_input);
}

TEST(SealModeText, IsReadAsWritten) {
  EXPECT_EQ(parse_seal_mode("thinking").value(), SealMode::thinking);
  EXPECT_EQ(parse_seal_mode("all").value(), SealMode::all);
  for (const std::string_view text : {"", "All", "none", "all "}) {
    EXPECT_EQ(parse_seal_mode(text).error().code, ErrorCode::invalid_input) << text;
  }
}

TEST(ExportedKeyring, ForMetadataOpensThatLayerAndNothingElse) {
  const Keyring owner = new_keyring();
  const Keyring reader = exported(owner, Reach::metadata);
  EXPECT_EQ(reader.kind(), KeyringKind::metadata);
  EXPECT_EQ(reader.owner_name(), owner.owner_name());
  EXPECT_EQ(reader.owner_key(), owner.owner_key());
  EXPECT_EQ(reader.created_at(), owner.created_at());
  EXPECT_EQ(reader.layer(Layer::content), nullptr);
  const Box box = Box::seal(*owner.layer(Layer::metadata), "[]", R"({"chars":3})");
  EXPECT_EQ(box.open(*reader.layer(Layer::metadata), "[]").value(), R"({"chars":3})");
}

TEST(ExportedKeyring, ForContentOpensBothLayers) {
  const Keyring owner = new_keyring();
  const Keyring reader = exported(owner, Reach::content);
  EXPECT_EQ(reader.kind(), KeyringKind::content);
  for (const Layer layer : {Layer::metadata, Layer::content}) {
    const Box box = Box::seal(*owner.layer(layer), "[]", "{}");
    EXPECT_EQ(box.open(*reader.layer(layer), "[]").value(), "{}");
  }
}

TEST(ExportedKeyring, CannotSignAndThrowsRatherThanSignWithNothing) {
  for (const Reach reach : {Reach::metadata, Reach::content}) {
    const Keyring reader = exported(new_keyring(), reach);
    EXPECT_FALSE(reader.can_sign());
    EXPECT_THROW(static_cast<void>(reader.owner_signing_key()), std::bad_optional_access);
    EXPECT_THROW(static_cast<void>(reader.custodial_key("{}")), std::bad_optional_access);
    EXPECT_THROW(static_cast<void>(reader.source_hash_key()), std::bad_optional_access);
  }
}

TEST(ExportedKeyring, HoldsNoByteOfSeedOrSecretNorOfKeysOutOfItsReach) {
  const Keyring owner = new_keyring();
  const std::string whole = owner.to_text(std::nullopt).value();
  const std::string metadata = owner.exported(Reach::metadata).value();
  const std::string content = owner.exported(Reach::content).value();
  const ParsedJson parsed = parse_json(whole).value();
  const json::object& secrets = *find_object(parsed.value.as_object(), "secrets");
  for (const std::string_view member : {"owner_seed", "secret"}) {
    const std::string_view hex = test::text_of(secrets, member);
    ASSERT_NE(whole.find(hex), std::string::npos);
    EXPECT_EQ(metadata.find(hex), std::string::npos) << member;
    EXPECT_EQ(content.find(hex), std::string::npos) << member;
  }
  EXPECT_EQ(metadata.find(to_hex(owner.layer(Layer::content)->root().bytes())), std::string::npos);
}

TEST(ExportedKeyring, IsHandedOnNoFurtherThanItReaches) {
  const Keyring owner = new_keyring();
  const Keyring content = exported(owner, Reach::content);
  EXPECT_EQ(content.exported(Reach::metadata).value(), owner.exported(Reach::metadata).value());
  EXPECT_EQ(content.exported(Reach::content).value(), owner.exported(Reach::content).value());
  const Result<std::string> beyond = exported(owner, Reach::metadata).exported(Reach::content);
  ASSERT_FALSE(beyond);
  EXPECT_EQ(beyond.error().code, ErrorCode::denied);
}

}  // namespace
}  // namespace weft::crypto

// Other people in a keyring: whose layers it opens, whom it trusts, and how that is written.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <optional>

#include "weft/base/hex.hpp"
#include "weft/base/json.hpp"
#include "weft/crypto/keyring.hpp"

namespace weft::crypto {
namespace {

using testing::HasSubstr;

Keyring made(const std::string& name) {
  return Keyring::create(name, 1'793'491'200'000, SealMode::thinking).value();
}
Keyring exported(const Keyring& keyring, Reach reach) {
  return Keyring::parse(keyring.exported(reach).value(), {}).value();
}
OtherKeys keys_of(const Keyring& keyring, Reach reach, const std::string& name) {
  return Keyring::to_other_keys(exported(keyring, reach), name).value();
}
std::string text_of(const Keyring& keyring) { return keyring.to_text(std::nullopt).value(); }
std::int64_t version_of(const Keyring& keyring) {
  return parse_json(text_of(keyring)).value().value.at("weft_keyring").as_int64();
}

class People : public testing::Test {
 protected:
  const Keyring ada_ = made("Ada"), grace_ = made("Grace"), alan_ = made("Alan");
};

TEST_F(People, OpenWhatTheyGaveTheKeysFor) {
  const Keyring keyring = ada_.with(keys_of(grace_, Reach::content, "grace"))
                              .value()
                              .with(keys_of(alan_, Reach::metadata, "alan"))
                              .value();
  for (const Layer layer : {Layer::metadata, Layer::content}) {
    const LayerKey& own = *ada_.layer(layer);
    const LayerKey& hers = *grace_.layer(layer);
    EXPECT_EQ(keyring.layer(layer)->id(), own.id()) << "what is sealed is sealed with one's own";
    EXPECT_EQ(keyring.find_key(layer, own.id())->root(), own.root());
    EXPECT_EQ(keyring.find_key(layer, hers.id())->root(), hers.root());
    EXPECT_EQ(keyring.keys_of(layer).front()->id(), own.id());
  }
  EXPECT_NE(keyring.find_key(Layer::metadata, alan_.layer(Layer::metadata)->id()), nullptr);
  EXPECT_EQ(keyring.find_key(Layer::content, alan_.layer(Layer::content)->id()), nullptr);
  EXPECT_EQ(keyring.find_key(Layer::content, grace_.layer(Layer::metadata)->id()), nullptr);
  EXPECT_EQ(keyring.keys_of(Layer::metadata).size(), 3u);
  EXPECT_EQ(keyring.keys_of(Layer::content).size(), 2u);
}

TEST_F(People, AreTrustedByKeyAndNotByName) {
  const Keyring keyring = ada_.with(TrustedOwner{"grace", grace_.owner_key()}).value();
  EXPECT_TRUE(keyring.trusts(grace_.owner_key()));
  EXPECT_FALSE(keyring.trusts(made("Grace").owner_key()));
  EXPECT_FALSE(keyring.trusts(ada_.owner_key()));
}

TEST_F(People, MakeAVersionOfTheFileThatGoesWithThem) {
  EXPECT_EQ(version_of(ada_), 1);
  const Keyring both = ada_.with(keys_of(grace_, Reach::content, "grace"))
                           .value()
                           .with(TrustedOwner{"grace", grace_.owner_key()})
                           .value();
  EXPECT_EQ(version_of(both), 2);
  const Keyring none = both.without("grace").value();
  EXPECT_EQ(text_of(none), text_of(ada_));
  EXPECT_EQ(both.without("Grace").error().code, ErrorCode::not_found);
}

TEST_F(People, AreReadAsTheyWereWrittenWithAPassphraseAndWithout) {
  Keyring full = ada_;
  for (std::size_t i = 0; i < kMaxPeople; ++i) {
    const std::string name =
        "\"" + std::string(kMaxPersonNameBytes - 3, '\\') + std::to_string(10 + i);
    const Keyring other = made("Somebody");
    full = full.with(keys_of(other, i % 2 == 0 ? Reach::content : Reach::metadata, name)).value();
    full = full.with(TrustedOwner{name, other.owner_key()}).value();
  }
  const std::string text = text_of(full);
  EXPECT_EQ(canonical_json(parse_json(text).value().value) + "\n", text);
  EXPECT_EQ(text_of(Keyring::parse(text, {}).value()), text);
  const std::string locked = full.to_text("passphrase").value();
  const Key& given = full.others().front().metadata.root();
  EXPECT_LE(locked.size(), Keyring::kMaxTextBytes);
  EXPECT_EQ(canonical_json(parse_json(locked).value().value) + "\n", locked);
  EXPECT_EQ(locked.find(to_hex(given.bytes())), std::string::npos);
  const Keyring opened = Keyring::parse(locked, [] { return "passphrase"; }).value();
  EXPECT_EQ(text_of(opened), text);
  EXPECT_EQ(full.with(TrustedOwner{"one more", grace_.owner_key()}).error().code,
            ErrorCode::invalid_input);
}

TEST_F(People, CannotBeChangedUnderAPassphrase) {
  const Keyring keyring = ada_.with(TrustedOwner{"grace", grace_.owner_key()}).value();
  std::string locked = keyring.to_text("passphrase").value();
  locked.replace(locked.find("grace"), 5, "alice");
  const Result<Keyring> changed = Keyring::parse(locked, [] { return "passphrase"; });
  ASSERT_FALSE(changed);
  EXPECT_EQ(changed.error().code, ErrorCode::denied);
}

TEST_F(People, HaveOneNameAndAreNotTheOwner) {
  const Keyring keyring = ada_.with(TrustedOwner{"grace", grace_.owner_key()}).value();
  const auto reason = [&](const std::string& name, const PublicKey& key) {
    const Result<Keyring> more = keyring.with(TrustedOwner{name, key});
    return more ? std::string() : more.error().message;
  };
  EXPECT_THAT(reason("me", ada_.owner_key()), HasSubstr("own owner"));
  EXPECT_THAT(reason("Grace", grace_.owner_key()), HasSubstr("already, as 'grace'"));
  EXPECT_THAT(reason("grace", alan_.owner_key()), HasSubstr("another key"));
  for (const std::string& name : {std::string(), std::string("a\nb"), std::string(65, 'a')}) {
    EXPECT_THAT(reason(name, alan_.owner_key()), HasSubstr("not a name")) << name;
  }
  EXPECT_EQ(reason("grace", grace_.owner_key()), "");
  EXPECT_EQ(keyring.with(keys_of(alan_, Reach::content, "grace")).error().code,
            ErrorCode::invalid_input);
}

// Better keys of the same person take the place of those that were there.
TEST_F(People, GiveMoreUnderTheSameName) {
  const Keyring keyring = ada_.with(keys_of(grace_, Reach::metadata, "grace"))
                              .value()
                              .with(keys_of(grace_, Reach::content, "grace"))
                              .value();
  EXPECT_EQ(keyring.others().size(), 1u);
  EXPECT_EQ(keyring.keys_of(Layer::content).size(), 2u);
}

TEST_F(People, DoNotHandOutKeysThatSign) {
  EXPECT_EQ(Keyring::to_other_keys(grace_, "grace").error().code, ErrorCode::denied);
}

TEST_F(People, AreNotInWhatIsExported) {
  const Keyring keyring = ada_.with(keys_of(grace_, Reach::content, "grace"))
                              .value()
                              .with(TrustedOwner{"grace", grace_.owner_key()})
                              .value();
  EXPECT_EQ(keyring.exported(Reach::content).value(), ada_.exported(Reach::content).value());
  EXPECT_EQ(keyring.exported(Reach::metadata).value(), ada_.exported(Reach::metadata).value());
}

// An exported keyring may know others, too.
TEST_F(People, AreKnownToEveryKindOfKeyring) {
  for (const Reach reach : {Reach::metadata, Reach::content}) {
    const Keyring keyring =
        exported(ada_, reach).with(keys_of(grace_, Reach::content, "g")).value();
    const std::string text = text_of(keyring);
    EXPECT_EQ(canonical_json(parse_json(text).value().value) + "\n", text);
    EXPECT_EQ(text_of(Keyring::parse(text, {}).value()), text);
  }
}

TEST_F(People, AreWrittenInOneWay) {
  const Keyring keyring = ada_.with(keys_of(grace_, Reach::content, "b"))
                              .value()
                              .with(keys_of(alan_, Reach::metadata, "a"))
                              .value()
                              .with(TrustedOwner{"b", grace_.owner_key()})
                              .value();
  const auto refused = [&](const std::function<void(json::object&)>& change) {
    json::object file = parse_json(text_of(keyring)).value().value.as_object();
    change(file);
    const Result<Keyring> read = Keyring::parse(canonical_json(file), {});
    return !read && read.error().code == ErrorCode::invalid_input;
  };
  const auto others = [](json::object& file) -> json::array& {
    return file.at("secrets").as_object().at("others").as_array();
  };
  EXPECT_FALSE(refused([](json::object&) {}));
  EXPECT_TRUE(refused([](json::object& file) { file.erase("trusted"); }));
  EXPECT_TRUE(refused([](json::object& file) { file.at("secrets").as_object().erase("others"); }));
  EXPECT_TRUE(refused([](json::object& file) { file["weft_keyring"] = 1; }));
  EXPECT_TRUE(refused([&](json::object& file) { std::swap(others(file)[0], others(file)[1]); }));
  EXPECT_TRUE(refused([&](json::object& file) { others(file).push_back(others(file)[1]); }));
  EXPECT_TRUE(refused([&](json::object& file) { others(file)[0].as_object()["more"] = 1; }));
  EXPECT_TRUE(refused([&](json::object& file) { others(file)[0].as_object().erase("pubkey"); }));
  EXPECT_TRUE(
      refused([&](json::object& file) { others(file)[0].as_object().erase("metadata_key"); }));
  EXPECT_TRUE(refused([&](json::object& file) { others(file)[0].as_object()["name"] = "c"; }));
  EXPECT_TRUE(refused([&](json::object& file) { others(file)[1] = "b"; }));
  EXPECT_TRUE(refused([](json::object& file) {
    file.at("trusted").as_array()[0].as_object()["name"] = "a";  // alan, by another key
  }));
}

}  // namespace
}  // namespace weft::crypto

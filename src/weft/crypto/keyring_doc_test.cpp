// Holds the code to docs/formats/keyring.md: its worked example, and its list of contexts.
#include <optional>
#include <set>
#include <sstream>

#include "weft/crypto/blake3.hpp"
#include "weft/crypto/keyring.hpp"
#include "weft/crypto/vectors_for_test.hpp"

namespace weft::crypto {
namespace {

class KeyringPage : public ::testing::Test {
 protected:
  // The text between "```<kind>" and the next "```".
  std::string block(const std::string& kind) const {
    const std::string opening = "\n```" + kind + "\n";
    const std::size_t at = page_.find(opening);
    EXPECT_NE(at, std::string::npos) << kind;
    const std::size_t start = at + opening.size();
    return page_.substr(start, page_.find("\n```", start) - start);
  }

  // The value of the row "| what | `value` |".
  std::string row(const std::string& what) const {
    const std::string opening = "\n| " + what + " | `";
    const std::size_t at = page_.find(opening);
    EXPECT_NE(at, std::string::npos) << what;
    const std::size_t start = at + opening.size();
    return page_.substr(start, page_.find('`', start) - start);
  }

  Keyring read(const std::string& kind) const {
    return Keyring::parse(block("json " + kind), [] { return "correct horse battery staple"; })
        .value();
  }

  std::string canonical(const std::string& kind) const {
    return canonical_json(parse_json(block("json " + kind)).value().value) + "\n";
  }

  const std::string page_ = test::read_source_file("docs/formats/keyring.md");
};

TEST_F(KeyringPage, GivesTheDerivedKeysThatWeDerive) {
  const Keyring keyring = read("owner");
  EXPECT_EQ(keyring.owner_key().str(), row("owner public key"));
  for (const auto& [layer, name] : {std::pair{Layer::metadata, "M"}, {Layer::content, "C"}}) {
    const LayerKey& key = *keyring.layer(layer);
    EXPECT_EQ(to_hex(key.root().bytes()), row(name));
    EXPECT_EQ(to_hex(key.index_terms().bytes()), row(name + std::string(": index terms")));
    EXPECT_EQ(key.id(), row(name + std::string(": key id")));
  }
  EXPECT_EQ(to_hex(keyring.source_hash_key().bytes()), row("source hash key"));
  EXPECT_EQ(keyring.custodial_key(R"({"kind":"tool","name":"bash"})").public_key().str(),
            row("custodial public key"));
}

TEST_F(KeyringPage, GivesTheBoxThatWeSeal) {
  const Keyring keyring = read("metadata");
  const std::string_view place =
      R"(["metadata","anthropic/thinking_summary","SELF",1793491200000])";
  const std::string_view plain = R"({"summaries":["Counting."]})";
  ASSERT_NE(page_.find(place), std::string::npos);
  ASSERT_NE(page_.find(plain), std::string::npos);
  EXPECT_EQ(Box::seal(*keyring.layer(Layer::metadata), place, plain).str(), block("box"));
}

TEST_F(KeyringPage, GivesTheFilesThatWeWrite) {
  const Keyring keyring = read("owner");
  EXPECT_EQ(keyring.to_text(std::nullopt).value(), canonical("owner"));
  EXPECT_EQ(keyring.exported(Reach::content).value(), canonical("content"));
  EXPECT_EQ(keyring.exported(Reach::metadata).value(), canonical("metadata"));
}

TEST_F(KeyringPage, GivesAFileWithOtherPeople) {
  const Keyring keyring = read("people");
  ASSERT_EQ(keyring.others().size(), 1u);
  EXPECT_FALSE(keyring.others().front().content);
  EXPECT_TRUE(keyring.trusts(keyring.others().front().owner));
  EXPECT_EQ(keyring.to_text(std::nullopt).value(), canonical("people"));
}

TEST_F(KeyringPage, GivesALockedFileThatWeOpen) {
  EXPECT_EQ(read("locked").to_text(std::nullopt).value(), canonical("owner"));
}

// By the page's table alone, without the functions under test.
TEST_F(KeyringPage, DerivesAsItsTableOfContextsSays) {
  const auto context = [&](const std::string& key) { return row(key); };
  const Keyring keyring = read("owner");
  const Key secret = test::key_of(
      test::from_hex("202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f"));
  const Key metadata = derive_key(context("M, root of the metadata layer"), {secret.view()});
  EXPECT_TRUE(metadata == keyring.layer(Layer::metadata)->root());
  EXPECT_TRUE(derive_key(context("C, root of the content layer"), {secret.view()}) ==
              keyring.layer(Layer::content)->root());
  EXPECT_TRUE(derive_key(context("index terms of a layer"), {metadata.view()}) ==
              keyring.layer(Layer::metadata)->index_terms());
  const SigningKey custodial(derive_key(context("seed of a custodial identity"),
                                        {secret.view(), std::string_view("\0", 1), "{}"}));
  EXPECT_EQ(custodial.public_key(), keyring.custodial_key("{}").public_key());
}

TEST_F(KeyringPage, ListsEachContextOnceSoThatNoTwoUsesShareAKey) {
  std::set<std::string> contexts;
  std::istringstream lines(page_);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t at = line.find("`weft 2026-11 ");
    if (at == std::string::npos) continue;
    const std::string context = line.substr(at, line.find('`', at + 1) - at);
    EXPECT_TRUE(contexts.insert(context).second) << context;
  }
  EXPECT_EQ(contexts.size(), 10u);
}

}  // namespace
}  // namespace weft::crypto

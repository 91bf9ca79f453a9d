// Holds the code to docs/formats/proof.md, and a proof to its promise: no byte of it can be
// changed.
#include "weft/query/proof/proof.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <numeric>
#include <random>

#include "weft/base/json.hpp"
#include "weft/crypto/base64.hpp"
#include "weft/crypto/blake3.hpp"
#include "weft/query/proof/part_checker.hpp"
#include "weft/thought/connection.hpp"

namespace weft::query {
namespace {

using testing::HasSubstr;

// The text between "```<kind>" and the next "```" of the page.
std::string block(const std::string& kind) {
  std::ifstream file(std::string(WEFT_SOURCE_DIR) + "/docs/formats/proof.md", std::ios::binary);
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  const std::string opening = "\n```" + kind + "\n";
  const std::size_t start = page.find(opening) + opening.size();
  return page.substr(start, page.find("\n```", start) - start);
}
std::string example() { return block("proof example") + "\n"; }

// The owner's key of docs/formats/keyring.md: its seed is the bytes 00 to 1f.
crypto::SigningKey key_of(std::uint8_t first) {
  std::array<std::uint8_t, crypto::Key::kSize> seed{};
  std::iota(seed.begin(), seed.end(), first);
  return crypto::SigningKey(crypto::Key(seed));
}

bool holds(std::string_view file) {
  const Result<Proof> proof = parse_proof(file);
  return proof && check_part(*proof).holds();
}

// Whether a proof with these thoughts, signed as a whole by the owner, holds; why not.
std::string reason_against(const Proof& proof) {
  const crypto::SigningKey key = key_of(0);
  const Result<Proof> read = parse_proof(write_proof(proof, &key));
  if (!read) return read.error().message;
  const PartReport report = check_part(*read);
  return report.holds() ? "" : report.bad.front().reason;
}

thought::Thought* find(Proof& proof, std::string_view type) {
  for (thought::Thought& thought : proof.thoughts)
    if (thought.type == type) return &thought;
  return nullptr;
}
void erase(Proof& proof, const Cid& cid) {
  std::erase_if(proof.thoughts, [&](const thought::Thought& each) { return each.cid == cid; });
}
// The human input as a stub. Nobody speaks through its input any more.
void hide_question(Proof& proof) {
  const thought::Thought gone = *find(proof, "anthropic/human_input");
  proof.stubs.push_back(
      {gone.cid, gone.created_by, std::get<crypto::SignatureBytes>(gone.signature)});
  erase(proof, gone.cid);
  const auto source = std::ranges::find(proof.thoughts, *gone.source, &thought::Thought::cid);
  const Cid schema = thought::to_connection(*source)->to;
  erase(proof, *gone.source);
  erase(proof, schema);
}

TEST(Proof, TheExampleOfThePageHoldsAndIsWrittenAgainByteForByte) {
  const Result<Proof> proof = parse_proof(example());
  ASSERT_TRUE(proof) << proof.error().message;
  EXPECT_TRUE(proof->is_signed);
  const PartReport report = check_part(*proof);
  EXPECT_TRUE(report.holds()) << report.bad.front().reason;
  EXPECT_EQ(report.owner_name, "Ada Lovelace");
  EXPECT_EQ(report.whole, 1u);
  EXPECT_EQ(report.sealed, 1u);
  EXPECT_EQ(report.edges, 3u);
  const crypto::SigningKey key = key_of(0);
  EXPECT_EQ(write_proof(*proof, &key), example());
  const std::string values = block("values proof");
  EXPECT_THAT(values, HasSubstr("subject: " + proof->subject.str()));
  EXPECT_THAT(values, HasSubstr("owner: " + proof->owner.str()));
  EXPECT_THAT(values, HasSubstr("thoughts: " + std::to_string(proof->thoughts.size())));
}

TEST(Proof, EverySingleChangedByteOfASignedProofIsRefused) {
  const std::string file = example();
  ASSERT_TRUE(holds(file));
  const bool is_long = std::getenv("WEFT_LONG") != nullptr;
  std::mt19937 random(20261118);
  for (std::size_t at = 0; at < file.size(); ++at) {
    for (int change = 1; change < 256; ++change) {
      std::string changed = file;
      const int by = is_long ? change : std::uniform_int_distribution(1, 255)(random);
      changed[at] = static_cast<char>(changed[at] ^ by);
      ASSERT_FALSE(holds(changed)) << "byte " << at << " xor " << by;
      if (!is_long) break;
    }
    std::string without = file;
    without.erase(at, 1);
    if (at % 7 == 0) ASSERT_FALSE(holds(without)) << "without byte " << at;
  }
  EXPECT_FALSE(holds(file + "\n"));
  EXPECT_FALSE(holds(" " + file));
}

// Nothing of an unsigned selection is bound by a signature over the whole: thoughts, stubs and
// edges are by their own.
TEST(Proof, EveryChangedByteOfWhatAnUnsignedProofSaysIsRefused) {
  Proof proof = parse_proof(example()).value();
  proof.is_signed = false;
  hide_question(proof);
  const std::string file = write_proof(proof, nullptr);
  ASSERT_TRUE(holds(file));
  const std::string_view begins = "{\"payload\":\"";
  const std::size_t end = file.find('"', begins.size());
  const std::string payload =
      crypto::parse_base64(std::string_view(file).substr(begins.size(), end - begins.size()))
          .value();
  std::mt19937 random(20261119);
  const std::size_t step = std::getenv("WEFT_LONG") != nullptr ? 1 : 5;
  for (std::size_t at = random() % step; at < payload.size(); at += step) {
    std::string changed = payload;
    // A letter or digit more often than not: what is still JSON gets further.
    changed[at] = "0123456789abcdef,:{}[]\"xyz"[std::uniform_int_distribution(0, 25)(random)];
    if (changed == payload) continue;
    std::string again(begins);
    crypto::append_base64(again, changed);
    ASSERT_FALSE(holds(again + file.substr(end))) << "byte " << at << ": " << changed[at];
  }
}

TEST(Proof, AStubShowsWhoSignedAndThatIsChecked) {
  Proof proof = parse_proof(example()).value();
  hide_question(proof);
  EXPECT_EQ(reason_against(proof), "");
  Proof forged = proof;
  forged.stubs.front().signature[3] ^= 1;
  EXPECT_THAT(reason_against(forged), HasSubstr("signature"));
  Proof other = proof;
  other.stubs.front().created_by = find(other, "anthropic/thinking")->created_by;
  EXPECT_THAT(reason_against(other), HasSubstr("signature"));
  Proof twice = proof;
  const thought::Thought* shown = find(twice, "anthropic/thinking");
  twice.stubs.push_back(
      {shown->cid, shown->created_by, std::get<crypto::SignatureBytes>(shown->signature)});
  EXPECT_THAT(reason_against(twice), HasSubstr("whole and as a stub"));
}

// A stranger may sign any CID and call it theirs: only an identity that the owner vouches for
// counts.
TEST(Proof, AStrangersIdentityIsNobody) {
  const crypto::SigningKey eve = key_of(100);
  for (const std::string_view type : {"identity", "test/identity"}) {
    Proof proof = parse_proof(example()).value();
    hide_question(proof);
    thought::Thought identity;
    identity.type = type;
    identity.content = {{"kind", "model"},
                        {"name", "m"},
                        {"pubkey", eve.public_key().str()},
                        {"provenance", "claimed"}};
    identity.cid = thought::cid_of(identity);
    identity.created_by = identity.cid;
    identity.signature = eve.sign(crypto::bytes_of(identity.cid.digest()));
    proof.thoughts.push_back(identity);
    Stub& stub = proof.stubs.front();
    stub.created_by = identity.cid;
    stub.signature = eve.sign(crypto::bytes_of(stub.cid.digest()));
    // Whoever made an unsigned selection may have put any key there. The owner's signature over the
    // whole says whose the stub is.
    EXPECT_EQ(reason_against(proof).empty(), type == "identity");
    proof.is_signed = false;
    EXPECT_FALSE(holds(write_proof(proof, nullptr))) << type;
  }
}

TEST(Proof, WithoutAnyOfItsThoughtsItDoesNotHoldUnlessThatWasAnEdge) {
  const Proof whole = parse_proof(example()).value();
  for (const thought::Thought& gone : whole.thoughts) {
    Proof proof = whole;
    erase(proof, gone.cid);
    const bool is_causes =
        gone.type == "connection" && find_string(gone.content, "relation") == "causes";
    EXPECT_EQ(reason_against(proof).empty(), is_causes) << gone.type << " " << gone.cid.str();
  }
}

TEST(Proof, WhatNothingLeadsToIsRefused) {
  Proof proof = parse_proof(example()).value();
  proof.subject = find(proof, "anthropic/human_input")->cid;
  EXPECT_THAT(reason_against(proof), HasSubstr("nothing leads to it"));
}

TEST(Proof, TheSignatureIsTheOwnersOrNobodys) {
  const Proof proof = parse_proof(example()).value();
  const crypto::SigningKey eve = key_of(100);
  EXPECT_FALSE(holds(write_proof(proof, &eve)));
  Proof claims = proof;
  EXPECT_FALSE(holds(write_proof(claims, nullptr))) << "it says signed, and is not";
  claims.is_signed = false;
  const crypto::SigningKey key = key_of(0);
  EXPECT_FALSE(holds(write_proof(claims, &key))) << "it says unsigned, and is signed";
  EXPECT_TRUE(holds(write_proof(claims, nullptr)));
}

TEST(Proof, ThePageAroundItIsSigned) {
  const std::string page =
      "<p>x</p><script type=\"application/json\" id=\"weft-proof\">{{PROOF}}</script><p>y</p>";
  Proof proof = parse_proof(example()).value();
  proof.page = hash_of_page(page);
  const crypto::SigningKey key = key_of(0);
  const std::string envelope = write_proof(proof, &key);
  const std::string file = put_in_page(page, envelope);
  EXPECT_TRUE(holds(file));
  EXPECT_FALSE(holds(envelope)) << "taken out of its page";
  EXPECT_FALSE(holds(put_in_page(page + " ", envelope)));
  EXPECT_FALSE(holds(put_in_page(page, example())));
  for (std::size_t at = 0; at < file.size(); ++at) {
    if (at > page.find("{{") && at < file.find("</script>")) continue;
    std::string changed = file;
    changed[at] ^= 1;
    EXPECT_FALSE(holds(changed)) << at;
  }
}

TEST(Proof, IsOfAVersionThatWasMeant) {
  for (const std::string_view text :
       {"", "{", "{}", "[]", "{\"payload\":1}",
        "{\"payload\":\"\",\"payloadType\":\"\",\"signatures\":[]}\n"}) {
    EXPECT_FALSE(parse_proof(text)) << text;
  }
}

}  // namespace
}  // namespace weft::query

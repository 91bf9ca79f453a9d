// Who and when: weft keys vouch and weft anchor.
#include <gmock/gmock.h>

#include <map>
#include <set>
#include <sstream>

#include "sources_for_test.hpp"
#include "weft/base/file.hpp"
#include "weft/crypto/blake3.hpp"
#include "weft/git/repository_for_test.hpp"
#include "weft/thought/thought.hpp"

namespace weft::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::SizeIs;
using testing::StartsWith;

class Attest : public Sources {
 protected:
  void SetUp() override {
    append(place(weft, kOne), long_session().text());
    ingest();
    weft.environment["PATH"] = "/usr/bin:/bin";
  }
  // A new SSH key without a passphrase; its private file.
  std::string key(const std::string& type, const std::string& name) {
    const std::string file = weft.path(name);
    const Ran made =
        run_program("/usr/bin/ssh-keygen",
                    {"-q", "-t", type, "-N", "", "-C", "ada@loom", "-f", file}, weft.environment);
    EXPECT_EQ(made.exit, 0) << made;
    return file;
  }
  std::string printed(const std::string& file) {
    const Ran ran = run_program("/usr/bin/ssh-keygen", {"-l", "-f", file}, weft.environment);
    return ran.out.substr(ran.out.find("SHA256:"), 50);
  }
};

TEST_F(Attest, AnSshKeyVouchesForTheOwner) {
  const std::string file = key("ed25519", "id");
  const json::object vouch = weft.json({"keys", "vouch", "--ssh", file});
  EXPECT_EQ(text(vouch, "fingerprint"), printed(file));
  EXPECT_EQ(text(vouch, "comment"), "ada@loom");
  EXPECT_TRUE(vouch.at("holds").as_bool());
  const json::object verified = weft.json({"verify"});
  ASSERT_THAT(list(verified, "vouched"), SizeIs(1));
  EXPECT_EQ(list(verified, "vouched")[0], json::value(vouch));
  EXPECT_THAT(weft({"verify"}).out, HasSubstr("vouched  ada@loom ssh-ed25519 SHA256:"));
  EXPECT_EQ(weft.json({"keys", "vouch", "--ssh", file}), vouch) << "again adds nothing";
  expect_valid();
}

// The signature that weft keeps is what ssh-keygen itself takes, with the line of a .pub file.
TEST_F(Attest, SshKeygenChecksWhatWeftKept) {
  const json::object vouch = weft.json({"keys", "vouch", "--ssh", key("ed25519", "id")});
  const json::object thought = weft.json({"get", text(vouch, "cid")});
  const json::object& content = thought.at("content").as_object();
  const std::string signature = weft.write("sig", text(content, "sshsig"));
  const std::string signers = weft.write("signers", "ada " + text(vouch, "key") + "\n");
  const json::object owner = weft.json({"get", text(vouch, "identity")});
  const std::string statement = "weft identity " + text(vouch, "identity") + " " +
                                text(owner.at("content").as_object(), "pubkey") + "\n";
  const std::vector<std::string> check = {"-Y", "verify",        "-f", signers,  "-I", "ada",
                                          "-n", "weft-identity", "-s", signature};
  EXPECT_EQ(run_program("/usr/bin/ssh-keygen", check, weft.environment, statement).exit, 0);
  EXPECT_NE(run_program("/usr/bin/ssh-keygen", check, weft.environment, statement + "x").exit, 0);
}

TEST_F(Attest, KeysOfOtherKindsAreCheckedBySshKeygen) {
  const json::object vouch = weft.json({"keys", "vouch", "--ssh", key("ecdsa", "id")});
  EXPECT_TRUE(vouch.at("holds").as_bool());
  EXPECT_THAT(text(vouch, "key_type"), StartsWith("ecdsa-"));
}

TEST_F(Attest, AKeyThatDoesNotSignIsNamed) {
  const Ran ran = weft({"keys", "vouch", "--ssh", weft.path("none")});
  EXPECT_EQ(ran.exit, 3) << ran;
  EXPECT_THAT(ran.err, HasSubstr("ssh-keygen does not sign with"));
  EXPECT_FALSE(weft.json({"verify"}).contains("vouched"));
}

TEST_F(Attest, TheHeadIsCommittedToARefOfItsOwn) {
  const TestRepository repository(weft.scratch() / "looms");
  repository.write("a", "b");
  repository.commit("begin");
  const std::string status = repository.git({"status", "--porcelain=v2", "--branch"});
  const auto anchor = [&] {
    return weft.json({"anchor", "--git", "--repository", repository.root().string()});
  };
  const json::object first = anchor();
  EXPECT_EQ(text(first, "head"), text(weft.json({"verify"}), "head"));
  append(place(weft, kTwo), long_session(kTwo).text());
  ingest();
  const json::object second = anchor();
  EXPECT_NE(text(first, "head"), text(second, "head"));
  const std::string log = repository.git({"log", "--format=%H %B", "refs/weft/head"});
  EXPECT_THAT(log, AllOf(StartsWith(text(second, "commit") + " Weft-Head: " + text(second, "head")),
                         HasSubstr(text(first, "commit") + " Weft-Head: " + text(first, "head"))));
  EXPECT_EQ(repository.git({"status", "--porcelain=v2", "--branch"}), status);
  EXPECT_EQ(weft({"verify", "--head", text(first, "head")}).exit, 0);
  EXPECT_EQ(weft({"anchor"}).out, text(second, "trailer") + "\n");
  EXPECT_EQ(weft({"anchor", "--git", "--repository", weft.scratch().string()}).exit, 1);
}

// The rule of WoT v0.11: an Ed25519 signature of the creator over the bytes of the CID.
TEST_F(Attest, WotHasPlainSignaturesUnderTheSameCids) {
  std::map<std::string, std::string> keys;
  std::set<std::string> cids;
  std::size_t structure = 0;
  const Ran ran = weft({"export", kOne, "--as", "wot"});
  ASSERT_EQ(ran.exit, 0) << ran;
  std::vector<thought::Thought> thoughts;
  std::istringstream lines(ran.out);
  for (std::string line; std::getline(lines, line);) {
    thoughts.push_back(*thought::parse_thought(parse_json(line)->value));
  }
  for (const thought::Thought& thought : thoughts) {
    cids.insert(thought.cid.str());
    if (thought::is_identity(thought)) keys[thought.cid.str()] = text(thought.content, "pubkey");
  }
  for (const thought::Thought& thought : thoughts) {
    const auto* plain = std::get_if<crypto::SignatureBytes>(&thought.signature);
    ASSERT_NE(plain, nullptr) << thought.type;
    EXPECT_EQ(thought::cid_of(thought), thought.cid);
    const auto key = crypto::PublicKey::parse(keys.at(thought.created_by.str()));
    EXPECT_TRUE(key->verifies(*plain, crypto::bytes_of(thought.cid.digest()))) << thought.type;
    EXPECT_TRUE(thought.covered.empty());
    structure += thought::may_be_tree_signed(thought);
  }
  EXPECT_GT(structure, 50u);
  std::set<std::string> whole;
  std::istringstream all(weft({"export", kOne, "--as", "thoughts"}).out);
  for (std::string line; std::getline(all, line);) {
    whole.insert(text(parse_json(line)->value.as_object(), "cid"));
  }
  EXPECT_EQ(cids, whole);
}

TEST_F(Attest, OnlyTheOwnersKeyringWritesWot) {
  const std::string metadata = weft.path("metadata.json");
  ASSERT_EQ(weft({"keys", "export", "--layer", "metadata", "--out", metadata}).exit, 0);
  EXPECT_EQ(weft({"export", kOne, "--as", "wot", "--keys", metadata}).exit, 3);
  EXPECT_EQ(weft({"export", kOne, "--as", "wot", "--open"}).exit, 2);
}

}  // namespace
}  // namespace weft::test

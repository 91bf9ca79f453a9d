// weft seal: the text of thoughts is hidden after they were woven in the clear.
#include <sys/wait.h>

#include <algorithm>

#include "forget_for_test.hpp"
#include "kill_moments_for_test.hpp"
#include "sources_for_test.hpp"
#include "weft/ingest/seal/seal_thoughts.hpp"

namespace weft::test {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

// A valid token that no service issued.
const std::string kToken = "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";
const std::string kThree = "33333333-3333-4333-8333-333333333333";

void say_secrets(Session& session) {
  session.human("push with " + kToken + " please");
  session.thinks("the pier needs a token");
  session.calls_with("c1", "Bash", {{"command", "curl -H 'Authorization: " + kToken + "'"}});
  session.prints("c1", "the pier is sound");
  session.says("Pushed to the pier.");
}

class SealCommand : public testing::Test {
 protected:
  void SetUp() override {
    Session session(kOne, "common-");
    say_secrets(session);
    append(place(weft_, kOne), session.text());
    ASSERT_EQ(weft_({"ingest"}).exit, 0);
  }

  json::object seal_secret() {
    const json::object answer =
        weft_.json({"seal", "--secret", fingerprint().substr(0, 8), "--yes"});
    EXPECT_EQ(answer.at("wiped"), true);
    return answer;
  }
  std::string fingerprint() const {
    const json::array found = list(weft_.json({"secrets"}), "secrets");
    EXPECT_EQ(found.size(), 1u);
    return text(found.at(0).as_object(), "fingerprint");
  }
  void expect_valid() { EXPECT_EQ(weft_({"verify"}).exit, 0) << weft_({"verify"}); }
  void expect_nowhere() { EXPECT_FALSE(files_say(weft_.home(), kToken)); }
  // The blocks of a session, as whoever has the keys reads them.
  std::string words_of(const std::string& session) {
    return weft_({"walk", session, "--json"}).out;
  }
  std::string exported(const std::string& session, const std::string& name) {
    const Ran ran = weft_({"export", session, "--as", "thoughts"});
    EXPECT_EQ(ran.exit, 0) << ran;
    return weft_.write(name, ran.out);
  }
  Ran second_code(const std::string& file) const {
    return run_program("/usr/bin/env",
                       {"node", std::string(WEFT_SOURCE_DIR) + "/docs/verify/verify.mjs", file},
                       {{"PATH", "/usr/local/bin:/usr/bin:/bin"}});
  }

  Weft weft_;
};

TEST_F(SealCommand, HidesASecretWhereverItStandsAndKeepsTheConversation) {
  const std::string before = words_of(kOne);
  const json::value by_type = weft_.json({"stats"}).at("by_type");
  ASSERT_TRUE(files_say(weft_.home(), kToken));
  const json::object sealed = seal_secret();
  EXPECT_THAT(list(sealed, "sealed"), SizeIs(3)) << "the prompt, the call, and the title";
  EXPECT_THAT(list(sealed, "left"), IsEmpty());
  expect_nowhere();
  expect_valid();
  const std::string after = words_of(kOne);
  EXPECT_THAT(after, AllOf(HasSubstr("push with " + kToken), HasSubstr("curl -H")));
  EXPECT_EQ(std::ranges::count(after, '\n'), std::ranges::count(before, '\n')) << "none twice";
  EXPECT_EQ(weft_.json({"stats"}).at("by_type"), by_type) << "each counts once";
}

TEST_F(SealCommand, RestoresEveryByteForWhoHasTheContentKeyAndForNobodyElse) {
  const std::string original = read_text(place(weft_, kOne));
  seal_secret();
  fs::remove(place(weft_, kOne));
  const std::string copy = weft_.path("copy.jsonl");
  ASSERT_EQ(weft_({"restore", kOne, "--out", copy}).exit, 0);
  EXPECT_EQ(read_text(copy), original);
  const std::string keys = weft_.path("metadata.json");
  ASSERT_EQ(weft_({"keys", "export", "--layer", "metadata", "--out", keys}).exit, 0);
  EXPECT_NE(weft_({"restore", kOne, "--out", weft_.path("none.jsonl"), "--keys", keys}).exit, 0);
  EXPECT_THAT(weft_({"walk", kOne, "--json", "--keys", keys}).out, Not(HasSubstr(kToken)));
}

TEST_F(SealCommand, SealsOnceHoweverOftenItIsAsked) {
  const json::array first = list(seal_secret(), "sealed");
  const Ran again = weft_({"seal", "--secret", fingerprint().substr(0, 8), "--yes", "--json"});
  ASSERT_EQ(again.exit, 0) << again;
  EXPECT_THAT(list(again.object(), "sealed"), IsEmpty());
  EXPECT_THAT(list(again.object(), "already"), SizeIs(3));
  const std::string clear = text(first.at(0).as_object(), "cid");
  EXPECT_THAT(list(weft_.json({"seal", clear, "--yes"}), "already"), SizeIs(1));
  EXPECT_THAT(weft_({"get", clear}).err,
              HasSubstr("was sealed as " + text(first.at(0).as_object(), "sealed_as")));
  expect_valid();
}

TEST_F(SealCommand, WeavesForksAndWhatIsReadAgainSealed) {
  seal_secret();
  Session fork(kTwo, "common-");
  say_secrets(fork);
  fork.human("and the harbour?");
  append(place(weft_, kTwo), fork.text());
  Session longer(kOne, "common-");
  say_secrets(longer);
  longer.human("what else?");
  append(place(weft_, kOne), longer.lines.back() + "\n");
  ASSERT_EQ(weft_({"ingest"}).exit, 0);
  ASSERT_EQ(weft_({"reweave", "--all"}).exit, 0);
  expect_valid();
  EXPECT_THAT(words_of(kOne), AllOf(HasSubstr(kToken), HasSubstr("what else?")));
  EXPECT_THAT(words_of(kTwo), AllOf(HasSubstr(kToken), HasSubstr("the harbour")));
  const json::array shared = list(weft_.json({"search", "pier", "--role", "assistant"}), "results");
  for (const json::value& one : shared) {
    EXPECT_EQ(number(one.as_object(), "places"), 2) << "the fork shares what its origin has";
  }
  // The title of the fork is a statement of its own, made after the seal.
  seal_secret();
  expect_nowhere();
  expect_valid();
}

TEST_F(SealCommand, CausesLeadThroughWhatWasSealed) {
  seal_secret();
  const json::array found = list(weft_.json({"search", "Pushed"}), "results");
  ASSERT_FALSE(found.empty());
  const std::string answer = text(found.at(0).as_object(), "cid");
  EXPECT_THAT(weft_({"why", answer, "--json"}).out, HasSubstr("push with " + kToken));
  const std::string proof = weft_.path("proof.json");
  const Ran proved = weft_({"prove", answer, "--out", proof});
  ASSERT_EQ(proved.exit, 0) << proved;
  EXPECT_EQ(weft_({"verify", proof}).exit, 0) << weft_({"verify", proof});
  EXPECT_EQ(second_code(proof).exit, 0) << second_code(proof);
}

TEST_F(SealCommand, HandsOnTheLeafOfWhatIsGone) {
  const std::string clear = exported(kOne, "clear.jsonl");
  const std::string gone = text(list(seal_secret(), "sealed").at(0).as_object(), "cid");
  const std::string file = exported(kOne, "sealed.jsonl");
  EXPECT_THAT(read_text(file),
              AllOf(HasSubstr("{\"cid\":\"" + gone + "\",\"covered\":"), Not(HasSubstr(kToken))));
  EXPECT_EQ(weft_({"verify", file}).exit, 0) << weft_({"verify", file});
  EXPECT_EQ(second_code(file).exit, 0) << second_code(file);
  const Weft other;
  ASSERT_EQ(other({"init"}).exit, 0);
  EXPECT_THAT(list(other.json({"import", file}), "refused"), IsEmpty());
  EXPECT_EQ(other({"verify"}).exit, 0) << other({"verify"});
  // What stands for it must be known: without the tombstone the leaf is missing.
  std::string without;
  std::istringstream lines(read_text(file));
  for (std::string line; std::getline(lines, line);) {
    if (line.find("\"type\":\"tombstone\"") == std::string::npos) without += line + "\n";
  }
  const std::string cut = weft_.write("cut.jsonl", without);
  EXPECT_EQ(second_code(cut).exit, 1);
  EXPECT_EQ(weft_({"verify", cut}).exit, 1);
  // An older export does not bring the clear text back.
  ASSERT_EQ(weft_({"import", clear}).exit, 0);
  expect_nowhere();
  expect_valid();
}

TEST_F(SealCommand, ShowsWhatItWouldDoAndAsks) {
  const std::string digits = fingerprint().substr(0, 4);
  const Ran shown = weft_({"seal", "--secret", digits, "--dry-run"});
  EXPECT_EQ(shown.exit, 0) << shown;
  EXPECT_THAT(shown.out, AllOf(HasSubstr("human_input"), HasSubstr("not reached: "),
                               HasSubstr("[secret github-token"), Not(HasSubstr(kToken))));
  EXPECT_THAT(list(weft_.json({"seal", "--secret", digits, "--dry-run"}), "to_seal"), SizeIs(3));
  const Ran refused = weft_({"seal", "--secret", digits});
  EXPECT_EQ(refused.exit, 1);
  EXPECT_THAT(refused.err, HasSubstr("--yes"));
  EXPECT_EQ(weft_({"seal"}).exit, 2);
  EXPECT_NE(weft_({"seal", "--secret", "ffff", "--yes"}).exit, 0);
  EXPECT_TRUE(files_say(weft_.home(), kToken)) << "nothing was sealed";
}

TEST(Seal, KilledAtAnyMomentItIsClearOrSealedAndHoldsEitherWay) {
  const Web web(heading("s") + round_of("quagga", 1) + round_of("other", 2));
  Tool(web.store_path()).run("PRAGMA wal_checkpoint(TRUNCATE)");
  const auto prompts = [&](const store::Store& store) {
    return *store.find_blocks(row_of(store, "s").cid, "human_input", 1);
  };
  const auto clear = prompts(*web.open());
  const auto seal_in = [&](const fs::path& path) {
    auto store = store::open_store(path, store::Create::no);
    return store && ingest::seal_thoughts(**store, web.keyring, clear, 5).has_value();
  };
  const auto copy_to = [&](const fs::path& home) {
    fs::create_directories(home);
    fs::copy_file(web.store_path(), home / "weft.db");
    return home / "weft.db";
  };
  const TempDir aside;
  const fs::path timed = copy_to(aside / "timed");
  KillMoments moments([&] { ASSERT_TRUE(seal_in(timed)); });
  for (int i = 0; i < KillMoments::count(); ++i) {
    SCOPED_TRACE(moments.trace());
    const fs::path home = aside / ("hit" + std::to_string(i));
    const fs::path path = copy_to(home);
    moments.strike(in_child([&] { return seal_in(path); }));
    auto store = store::open_store(path, store::Create::no);
    ASSERT_TRUE(store) << store.error().message;
    const bool is_sealed = !(*store)->has(clear.front()).value();
    EXPECT_EQ(prompts(**store) == clear, !is_sealed);
    const auto answer = query::verify(**store, &web.keyring, {});
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->at("verdict"), "valid") << pretty_json(*answer);
    ASSERT_TRUE(ingest::seal_thoughts(**store, web.keyring, clear, 6));
    ASSERT_TRUE((*store)->forgetting().scrub());
    store->reset();
    EXPECT_FALSE(files_say(home, "asked quagga"));
    fs::remove_all(home);
  }
  EXPECT_GT(moments.killed(), 0);
}

}  // namespace
}  // namespace weft::test

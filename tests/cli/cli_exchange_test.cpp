// Keyrings and thoughts that leave one home and come into another.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <iterator>

#include "program.hpp"
#include "weft/cli/ingest/sample.hpp"

namespace weft::test {
namespace {

using testing::HasSubstr;
using testing::IsSupersetOf;
using testing::Not;

unsigned mode_of(const std::filesystem::path& path) {
  struct stat status{};
  EXPECT_EQ(::stat(path.c_str(), &status), 0) << path;
  return status.st_mode & 0777u;
}

std::string read(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class Exchange : public testing::Test {
 protected:
  Exchange() {
    const json::object ingested =
        weft.json({"ingest", weft.write("talk.txt", cli::sample_transcript())});
    conversation = text(list(ingested, "conversations").at(0).as_object(), "conversation_cid");
  }

  // The first thought whose type ends so.
  std::string find(std::string_view kind) const {
    for (const json::value& turn : list(weft.json({"walk", conversation}), "turns")) {
      for (const json::value& thought : list(turn.as_object(), "thoughts")) {
        if (text(thought.as_object(), "type").ends_with(kind))
          return text(thought.as_object(), "cid");
      }
    }
    return "";
  }

  Weft weft;
  std::string conversation;
};

TEST_F(Exchange, UxA4WritesOverAFileOnlyIfToldTo) {
  const std::string file = weft.path("out");
  const std::vector<std::vector<std::string>> commands = {
      {"export", conversation, "--as", "thoughts", "--out", file},
      {"export", conversation, "--as", "anthropic-transcript", "--out", file},
      {"restore", conversation, "--out", file}};
  for (std::vector<std::string> words : commands) {
    weft.write("out", "newer");
    const Ran ran = weft(words);
    EXPECT_EQ(ran.exit, 1) << ran;
    EXPECT_THAT(ran.err, HasSubstr(file));
    EXPECT_THAT(ran.err, HasSubstr("--force"));
    words.push_back("--json");
    const Ran json = weft(words);
    EXPECT_EQ(json.exit, 1) << json;
    EXPECT_THAT(text(json.object().at("error").as_object(), "message"), HasSubstr("--force"));
    EXPECT_EQ(read(file), "newer");
    words.push_back("--force");
    EXPECT_EQ(weft(words).exit, 0);
    EXPECT_NE(read(file), "newer");
  }
  EXPECT_EQ(read(file), cli::sample_transcript());
  // What is no file of its own is written to.
  EXPECT_EQ(weft({"restore", conversation, "--out", "/dev/stdout"}).out, cli::sample_transcript());
}

TEST_F(Exchange, KeepsHomeKeyringAndStoreForTheOwnerAlone) {
  EXPECT_EQ(mode_of(weft.home()), 0700u);
  EXPECT_EQ(mode_of(weft.home() / "keyring.json"), 0600u);
  EXPECT_EQ(mode_of(weft.home() / "weft.db"), 0600u);
}

TEST_F(Exchange, KeysShowSaysWhatTheKeyringDoes) {
  const json::object answer = weft.json({"keys", "show"});
  EXPECT_THAT(keys(answer), IsSupersetOf({"keyring", "kind", "name", "public_key", "layers"}));
  EXPECT_EQ(text(answer, "kind"), "owner");
  EXPECT_EQ(text(answer, "name"), "ada");
  EXPECT_EQ(text(answer, "owner"), text(weft.json({"init"}), "owner"));
  EXPECT_THAT(weft({"keys", "show"}).out, HasSubstr("signs"));
}

TEST_F(Exchange, TheMetadataKeyringShowsThatThereWasReasoningAndNotTheReasoning) {
  const Ran exported = weft({"keys", "export", "--layer", "metadata"});
  ASSERT_EQ(exported.exit, 0) << exported;
  const std::string target = weft.path("m.json");
  const Ran imported =
      weft({"keys", "import", weft.write("export.json", exported.out), "--keys", target});
  ASSERT_EQ(imported.exit, 0) << imported;
  EXPECT_EQ(mode_of(target), 0600u);
  const Ran thinking = weft({"get", find("/thinking"), "--keys", target, "--json"});
  EXPECT_THAT(thinking.out, HasSubstr("duration_ms"));
  EXPECT_THAT(thinking.out, Not(HasSubstr("look them up")));
  // Summaries are metadata.
  EXPECT_THAT(weft({"why", find("/response"), "--keys", target}).out,
              AllOf(HasSubstr("(summary) "), Not(HasSubstr("look them up"))));
  EXPECT_THAT(weft({"walk", conversation, "--keys", target}).out,
              HasSubstr("Decided to look up the ferry notices first."));
  const Ran refused = weft({"ingest", weft.path("talk.txt"), "--keys", target});
  EXPECT_EQ(refused.exit, 3);
  EXPECT_THAT(refused.err, HasSubstr("cannot sign"));
}

TEST_F(Exchange, TheContentKeyringOpensEverything) {
  const Ran exported = weft({"keys", "export", "--layer", "content"});
  const std::string target = weft.path("c.json");
  ASSERT_EQ(weft({"keys", "import", "-", "--keys", target}, exported.out).exit, 0);
  EXPECT_THAT(weft({"--keys", target, "get", find("/thinking")}).out, HasSubstr("look them up"));
}

TEST_F(Exchange, KeysImportNeverOverwrites) {
  const std::string before = read(weft.home() / "keyring.json");
  const std::string file =
      weft.write("export.json", weft({"keys", "export", "--layer", "metadata"}).out);
  const Ran ran = weft({"keys", "import", file});
  EXPECT_EQ(ran.exit, 1) << ran;
  EXPECT_EQ(read(weft.home() / "keyring.json"), before);
}

TEST_F(Exchange, AKeyringThatOthersCanReadIsRefusedWithTheCure) {
  std::filesystem::permissions(weft.home() / "keyring.json", std::filesystem::perms(0644));
  const Ran ran = weft({"list"});
  EXPECT_EQ(ran.exit, 3);
  EXPECT_THAT(ran.err, HasSubstr("chmod"));
  EXPECT_EQ(weft({"doctor"}).exit, 1);
}

TEST_F(Exchange, ThoughtsGoToAnotherStoreAndStayForeignThere) {
  const std::string file = weft.path("thoughts.jsonl");
  const json::object written =
      weft.json({"export", conversation, "--as", "thoughts", "--out", file});
  EXPECT_EQ(number(written, "bytes"), static_cast<std::int64_t>(std::filesystem::file_size(file)));
  EXPECT_EQ(weft({"export", conversation, "--as", "thoughts"}).out, read(file));
  EXPECT_THAT(read(file), Not(HasSubstr("look them up")));

  const Weft other;
  ASSERT_EQ(other({"init", "--name", "Grace"}).exit, 0);
  const json::object report = other.json({"import", file});
  EXPECT_THAT(keys(report), IsSupersetOf({"read", "new_thoughts", "valid", "foreign", "refused"}));
  EXPECT_TRUE(list(report, "refused").empty());
  EXPECT_GT(number(report, "foreign"), 0);
  EXPECT_EQ(number(report, "valid"), 0);
  EXPECT_EQ(other({"verify"}).exit, 0);
  EXPECT_THAT(other({"why", find("/response")}).out, HasSubstr("(sealed)"));
  EXPECT_THAT(other({"transcript", conversation}).out, HasSubstr("‡ ["));
  EXPECT_THAT(other({"transcript", conversation, "--json"}).out, HasSubstr("\"foreign\""));
  EXPECT_THAT(weft({"transcript", conversation, "--json"}).out, Not(HasSubstr("\"foreign\"")));
}

TEST_F(Exchange, AForgedThoughtIsRefusedAndNamed) {
  std::string thoughts = weft({"export", conversation, "--as", "thoughts"}).out;
  const std::string honest = "arrives at 10:00";
  thoughts.replace(thoughts.find(honest), honest.size(), "arrives at 07:00");
  const Weft other;
  const Ran ran = other({"import", other.write("forged.jsonl", thoughts), "--json"});
  EXPECT_EQ(ran.exit, 1) << ran;
  EXPECT_FALSE(list(ran.object(), "refused").empty());
  EXPECT_THAT(ran.out, Not(HasSubstr("arrives at 07:00")));
}

TEST_F(Exchange, OpenedThoughtsHoldTheReasoning) {
  EXPECT_THAT(weft({"export", conversation, "--as", "thoughts", "--open"}).out,
              HasSubstr("look them up"));
  const json::object document = weft.json({"export", conversation, "--as", "thoughts"});
  EXPECT_GT(list(document, "thoughts").size(), 10u);
}

TEST_F(Exchange, ATranscriptComesBackAndAddsNothing) {
  const std::string file = weft.path("again.txt");
  ASSERT_EQ(weft({"export", conversation, "--as", "anthropic-transcript", "--out", file}).exit, 0);
  EXPECT_THAT(read(file), HasSubstr("look them up"));
  const Weft other;
  std::filesystem::create_directories(other.home());
  std::filesystem::permissions(other.home(), std::filesystem::perms(0700));
  std::filesystem::copy(weft.home() / "keyring.json", other.home() / "keyring.json");
  const json::object ingested = other.json({"ingest", file});
  EXPECT_EQ(text(list(ingested, "conversations").at(0).as_object(), "session_id"), "weft-sample");
  const json::object document = weft.json({"export", conversation, "--as", "anthropic-transcript"});
  EXPECT_EQ(text(document, "text"), read(file));
}

}  // namespace
}  // namespace weft::test

// Secrets in every kind of block and member, escaped and across the chunks that files are read in:
// all are listed, and no byte of any is in what weft shows to others.
#include <map>
#include <set>

#include "sources_for_test.hpp"
#include "stdio_client.hpp"
#include "weft/secrets/mint_for_test.hpp"

namespace weft::test {
namespace {

using testing::HasSubstr;
using testing::IsSupersetOf;
using testing::Not;

class EveryKindOfSecret : public testing::Test {
 protected:
  // A token of another shape than the ones before, as far as there are some.
  std::string mint() {
    const auto shapes = secrets::all_shapes();
    tokens_.push_back(mint_.token(shapes[tokens_.size() % shapes.size()]));
    return tokens_.back();
  }
  void ingest(const Session& session) {
    append(place(weft_, session.id()), session.text());
    const Ran ran = weft_({"ingest"});
    ASSERT_EQ(ran.exit, 0) << ran.err;
  }
  // Everything that is listed, with the values' places.
  std::set<std::string> listed_fingerprints() const {
    std::set<std::string> names;
    const json::object answer = weft_.json({"secrets"});
    for (const json::value& one : list(answer, "secrets")) {
      names.insert(text(one.as_object(), "fingerprint"));
    }
    return names;
  }
  void expect_masked(const std::string& output, const std::string& what) const {
    for (const std::string& token : tokens_) {
      EXPECT_THAT(output, Not(HasSubstr(token))) << what;
    }
  }

  Weft weft_;
  secrets::Mint mint_{21};
  std::vector<std::string> tokens_;
};

Session every_kind(const std::function<std::string()>& mint) {
  Session session(kOne);
  session.human("the pier needs " + mint() + ", \"" + mint() + "\" and\n" + mint());
  session.thinks("I have " + mint());
  session.calls_with("c1", "Bash",
                     {{"command", "export A=" + mint()},
                      {"env", json::object{{mint(), 1}, {"deep", json::array{"x\n" + mint()}}}}});
  session.prints("c1", "{\"token\":\"" + mint() + "\",\"next\":\"\\n" + mint() + "\"}",
                 json::object{{"stdout", "so " + mint()}, {"lines", json::array{mint()}}});
  session.calls_with("c2", "Read", {{"file_path", "/tmp/" + mint()}});
  session.fails("c2", "no file " + mint());
  session.attaches("notes-" + mint() + ".md", "keep " + mint());
  session.human("<system-reminder>never say " + mint() + "</system-reminder>");
  session.says("It is " + mint() + ".");
  session.compacts("So far: " + mint());
  session.says("And on.");
  session.sums_up("About " + mint());
  return session;
}

TEST_F(EveryKindOfSecret, IsListedAndMasked) {
  ingest(every_kind([this] { return mint(); }));
  const json::object answer = weft_.json({"secrets"});
  EXPECT_EQ(list(answer, "secrets").size(), tokens_.size());
  std::set<std::string> kinds;
  for (const json::value& one : list(answer, "secrets")) {
    for (const json::value& at : list(one.as_object(), "places")) {
      const std::string type = text(weft_.json({"get", text(at.as_object(), "cid")}), "type");
      kinds.insert(type.substr(type.find('/') + 1));
    }
  }
  EXPECT_THAT(kinds, IsSupersetOf({"human_input", "thinking", "tool_request", "tool_result",
                                   "attachment", "response", "compaction", "summary"}));
  expect_masked(canonical_json(answer), "secrets");
  for (const std::vector<std::string>& command : std::vector<std::vector<std::string>>{
           {"search", "pier", "--json"},
           {"search", "notes", "keep", "file", "export", "--json"},
           {"search", "pier"},
           {"export", kOne, "--as", "markdown"},
           {"export", kOne, "--as", "markdown", "--thinking"},
           {"export", kOne, "--as", "anthropic-messages", "--mask"},
           {"secrets", "--deep", "--json"}}) {
    const Ran ran = weft_(command);
    EXPECT_EQ(ran.exit, 0) << ran.err;
    expect_masked(ran.out + ran.err, command[0] + " " + command[1]);
  }
  EXPECT_EQ(weft_({"verify"}).exit, 0);
}

TEST_F(EveryKindOfSecret, IsMaskedInEveryAnswerToAgents) {
  ingest(every_kind([this] { return mint(); }));
  StdioClient agent(WEFT_BINARY, {"mcp"}, weft_.environment, StdioClient::Stderr::ignored);
  int id = 0;
  const auto ask = [&](const std::string& method, json::object params) {
    agent.send({{"jsonrpc", "2.0"},
                {"id", ++id},
                {"method", method},
                {"params", modern_params(std::move(params))}});
    const std::string answer = canonical_json(agent.answer_to(id));
    expect_masked(answer, method);
    return answer;
  };
  const auto call = [&](const std::string& tool, json::object arguments) {
    return ask("tools/call", {{"name", tool}, {"arguments", std::move(arguments)}});
  };
  const std::string whole = call("wot_walk_sequence", {{"conversation_cid", kOne}});
  EXPECT_THAT(whole, HasSubstr("[secret "));
  EXPECT_THAT(whole, HasSubstr(R"("masked":["aws-access-key")"));
  call("wot_walk_sequence", {{"conversation_cid", kOne}, {"outline", true}});
  call("wot_thought_search", {{"query", "pier notes keep export token"}});
  call("search_conversations", {{"query", "pier"}});
  call("list_conversations", {});
  call("wot_conversation_list", {});
  call("wot_conversation_stats", {});
  const std::string session = "claude-code:" + std::string(kOne);
  for (int turn = 0; turn < 2; ++turn) {
    call("read_turn", {{"session_id", session}, {"turn_number", turn}});
  }
  call("read_conversation", {{"session_id", session}});
  const json::object walked = weft_.json({"walk", kOne});
  for (const json::value& turn : list(walked, "turns")) {
    for (const json::value& thought : list(turn.as_object(), "thoughts")) {
      const std::string cid = text(thought.as_object(), "cid");
      call("wot_thought_get", {{"cid", cid}});
      call("wot_walk_because", {{"cid", cid}});
      call("wot_connections", {{"cid", cid}});
      ask("resources/read", {{"uri", "weft://thought/" + cid}});
    }
  }
  const std::string conversation = text(walked, "conversation_cid");
  ask("resources/read", {{"uri", "weft://conversation/" + conversation}});
  ask("resources/read", {{"uri", "weft://transcript/" + conversation}});
  agent.close_stdin();
  EXPECT_EQ(agent.wait(), 0);
}

// A file is read in chunks, and a text may be longer than any of them.
TEST_F(EveryKindOfSecret, IsFoundAcrossChunks) {
  constexpr int kSecrets = 300;
  Session session(kOne);
  session.human("list them");
  session.calls("c1", "Bash", "cat");
  std::string printed;
  for (int i = 0; i < kSecrets; ++i) {
    printed += std::string(static_cast<std::size_t>(4'000 + i), i % 2 == 0 ? ' ' : '.') + "\n" +
               mint() + "\n";
  }
  session.prints("c1", printed);
  ingest(session);
  EXPECT_EQ(listed_fingerprints().size(),
            std::set<std::string>(tokens_.begin(), tokens_.end()).size());
}

TEST_F(EveryKindOfSecret, HashesAndPlaceholdersAreNotListed) {
  Session session(kOne);
  session.human(
      "commit da39a3ee5e6b4b0d3255bfef95601890afd80709 of "
      "44444444-dddd-4ddd-8ddd-444444444444, AKIAIOSFODNN7EXAMPLE, sk-ant-api03-...AA");
  session.prints("c1",
                 "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQ");
  ingest(session);
  EXPECT_TRUE(listed_fingerprints().empty());
}

}  // namespace
}  // namespace weft::test

// docs/json.md is what the program answers: every command is run in a small home, and each member
// of its answers must be on the page with its form, and each member on the page must be in an
// answer.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <set>

#include "json_page_for_test.hpp"
#include "sources_for_test.hpp"
#include "stdio_client.hpp"
#include "weft/base/file.hpp"
#include "weft/cli/app/command.hpp"
#include "weft/cli/ingest/sample.hpp"
#include "weft/postgres/postgres_for_test.hpp"

namespace weft::test {
namespace {

using testing::IsEmpty;

class JsonReference : public testing::Test {
 protected:
  void SetUp() override {
    weft.environment["HOME"] = weft.scratch().string();
    weft.environment["TZ"] = "UTC";
  }

  // Runs a command of weft; its document must be as the section says.
  json::value run(const std::string& section, std::vector<std::string> words, int exit = 0,
                  const std::map<std::string, std::string>& more = {}) {
    words.emplace_back("--json");
    std::map<std::string, std::string> environment = weft.environment;
    for (const auto& [name, value] : more) environment[name] = value;
    const Ran ran = run_program(WEFT_BINARY, words, environment);
    EXPECT_EQ(ran.exit, exit) << section << ": " << ran;
    json::value document = ran.document();
    page.check(section, document);
    return document;
  }

  // A session with a subagent, edits, an error and reasoning; one that forked from it; a plain
  // transcript.
  void write_sessions() {
    Session session(kOne);
    session.human("make the loom with AKIAQ7WZK3LT2MNB5VXC");
    session.thinks("with care");
    session.calls_with("w1", "Write", {{"file_path", "loom.py"}, {"content", "a = 1\nb = 2\n"}});
    session.prints("w1", "created", json::object{{"type", "create"}, {"originalFile", nullptr}});
    session.calls_with("e1", "Edit",
                       {{"file_path", "loom.py"}, {"old_string", "b = 2"}, {"new_string", "b"}});
    session.fails("e1", "String to replace not found");
    session.calls("task-1", "Task", "oil the treadle");
    session.prints("task-1", "oiled", json::object{{"agentId", "a7"}, {"status", "completed"}});
    session.says("made the loom");
    session.sums_up("A loom");
    Session child(kOne);
    child.make_subagent("a7");
    child.human("oil the treadle");
    child.says("oiled");
    Session fork(kTwo);
    fork.copy(session);
    fork.human("and a shuttle");
    fork.says("there it is");
    const std::string path = place(weft, kOne);
    append(path, session.text());
    const fs::path folder = fs::path(path).parent_path() / kOne / "subagents";
    fs::create_directories(folder);
    append(folder / "agent-a7.jsonl", child.text());
    append(place(weft, kTwo), fork.text() + R"({"type":"user","broken)" + "\n");
    weft.write("talk.txt", cli::sample_transcript());
  }
  std::string cid_of(const std::string& words, const std::string& type) const {
    return text(list(weft.json({"search", words, "--type", type}), "results").at(0).as_object(),
                "cid");
  }

  void ask() {
    const std::string answer = cid_of("made", "response");
    run("weft list", {"list"});
    run("weft list", {"list", "--fold", "--limit", "1"});
    run("weft list", {"list", "--project", "nowhere"});
    run("weft list", {"list", "--internal"});
    run("weft read", {"read", kTwo});
    run("weft read", {"read", answer, "-C", "1"});
    run("weft read", {"read", kOne, "--turn", "0"});
    run("weft read", {"read", cid_of("oiled", "response")});
    run("weft read", {"read", "weft-sample"});
    run("weft search", {"search", "loom", "--limit", "1"});
    run("weft search", {"search", "loom", "--group", "session", "--limit", "1"});
    run("weft search", {"search", "tredale"}, 1);
    run("weft search", {"search", "the"}, 1);
    run("weft search", {"search", "car*"}, 1);
    run("weft search --turns", {"search", "--turns", "loom"});
    run("weft why", {"why", answer});
    run("weft effects", {"effects", cid_of("make", "human_input"), "--limit", "2"});
    run("weft diff", {"diff", kOne});
    run("weft diff", {"diff", answer});
    blame();
    run("weft secrets", {"secrets"});
    run("weft walk", {"walk", kOne});
    run("weft walk", {"walk", answer});
    run("weft walk", {"walk", "weft-sample"});
    run("weft walk --from", {"walk", kOne, "--from", "0", "--cut", "3"});
    run("weft walk --outline", {"walk", kOne, "--outline"});
    run("weft get", {"get", answer});
    run("weft get", {"get", cid_of("care", "thinking")});
    run("weft get", {"get", cid_of("care", "thinking"), "--sealed"});
    run("weft transcript", {"transcript", kOne});
    run("weft connections", {"connections", answer});
    run("weft stats", {"stats"});
    run("weft stats", {"stats", kOne});
    run("weft stats --by day", {"stats", "--by", "day"});
    for (const char* by : {"day", "week", "month", "model", "project", "session", "prompt"}) {
      run("weft cost", {"cost", "--by", by});
    }
    run("weft prices", {"prices"});
    weft.write("prices.json",
               R"({"my-model":{"input_cost_per_token":1e-6,"output_cost_per_token":2e-6,)"
               R"("litellm_provider":"anthropic","mode":"chat"}})");
    run("weft prices --import", {"prices", "--import", weft.path("prices.json")});
  }

  // The file that the session wrote, committed, with a line that a person added since.
  void blame() {
    const fs::path folder = weft.scratch() / "looms";
    fs::create_directories(folder);
    const auto git = [&](std::vector<std::string> words) {
      words.insert(words.begin(),
                   {"-C", folder, "-c", "user.name=Ada", "-c", "user.email=ada@loom"});
      const Ran ran = run_program("/usr/bin/git", words, weft.environment);
      EXPECT_EQ(ran.exit, 0) << ran;
    };
    git({"init", "--quiet"});
    weft.write("looms/loom.py", "a = 1\nb = 2\nby_a_shell_command = 3\n");
    git({"add", "."});
    git({"commit", "--quiet", "--message", "a loom"});
    git({"notes", "--ref=ai", "add", "--message",
         std::string("loom.py\n  s_1::t_1 3\n---\n{\"schema_version\":\"authorship/3.0.0\",") +
             "\"sessions\":{\"s_1\":{\"agent_id\":{\"id\":\"" + kOne + "\"}}}}"});
    weft.write("looms/loom.py",
               "a = 1\nb = 2\nby_a_shell_command = 3\nsomething_else_entirely = 3\n");
    run("weft blame", {"blame", folder / "loom.py"});
    run("weft log", {"log", folder / "loom.py"});
    run("weft effects --changes",
        {"effects", cid_of("make", "human_input"), "--limit", "2", "--repo", folder});
  }

  void share() {
    weft.write("home/config.json", R"({"remotes": {"team": {"url": "folder:)" + weft.path("team") +
                                       R"(", "projects": ["*"]}}})");
    // A secret stands in the first session and in its fork.
    run("weft push", {"push", "--dry-run"}, 1);
    run("weft push", {"push", "--yes"}, 1);
    fs::create_directories(weft.path("h6"));
    fs::copy_file(weft.home() / "config.json", weft.path("h6/config.json"));
    run("weft pull", {"pull", "--dry-run", "--home", weft.path("h6")});
    run("weft pull", {"pull", "--home", weft.path("h6")});
    run("weft sync", {"sync", "--yes"}, 1);
  }

  // A web on a server, with a role that is let in.
  void serve_many() {
    if (!postgres::is_built()) return;
    const postgres::TestSchema schema;
    const std::string role = schema.name() + "_ada";
    const auto run_sql = [&](const std::string& sql) {
      ASSERT_TRUE(postgres::open_database(schema.url()).value().script(sql.c_str())) << sql;
    };
    run_sql("CREATE ROLE " + role + " LOGIN; GRANT CREATE, USAGE ON SCHEMA " + schema.name() +
            " TO " + role);
    std::string by_ada = schema.text();
    by_ada.replace(by_ada.find("weft@"), 4, role);
    run("weft store init", {"store", "init", by_ada}, 1);
    run_sql("DROP SCHEMA " + schema.name() + " CASCADE");
    run("weft store init", {"store", "init", schema.text()});
    run("weft store grant", {"store", "grant", schema.text(), role, "--as", "reader"});
    run("weft store migrate", {"store", "migrate", schema.text()});
    for (const char* kind : {"_ada", "_reader", "_writer", "_keeper"}) {
      run_sql("DROP OWNED BY " + schema.name() + kind + " CASCADE; DROP ROLE " + schema.name() +
              kind);
    }
  }

  void keep() {
    run("weft verify", {"verify"});
    run("weft verify", {"verify", "--quick"});
    const std::string proof = weft.path("proof.json"), thoughts = weft.path("all.jsonl");
    run("weft prove", {"prove", cid_of("made", "response"), "--out", proof});
    run("weft verify PROOF", {"verify", proof});
    weft.write("bad.json", "{\"payload\":1}");
    run("weft verify PROOF", {"verify", weft.path("bad.json")}, 1);
    run("weft export", {"export", kOne, "--as", "thoughts", "--out", thoughts});
    run("weft verify THOUGHTS", {"verify", thoughts});
    run("weft doctor", {"doctor"});
    weft.write(".codex/config.toml", "[mcp_servers.weft]\ncommand = \"/old/weft\"\n");
    run("weft doctor", {"doctor", "--yes"});
    run("weft migrate", {"migrate"});
    serve_many();
    run("weft reindex", {"reindex"});
    run("weft repair", {"repair"});
    run("weft repair", {"repair", "--dry-run"});
    run("weft anchor", {"anchor"});
    run("weft handover", {"handover", kOne});
    run("weft resume", {"resume", kOne, "--in", "claude"});
    run("weft export", {"export", kOne, "--as", "thoughts", "--out", weft.path("web.jsonl")});
    run("weft export",
        {"export", kOne, "--as", "anthropic-messages", "--out", weft.path("request.json")});
    run("weft restore", {"restore", kOne, "--out", weft.path("again.jsonl")});
    run("weft backup", {"backup", weft.path("backup.weft")});
    run("weft restore-home", {"restore-home", weft.path("backup.weft"), "--home", weft.path("h2")});
    run("weft keys show", {"keys", "show"});
    run("weft keys export",
        {"keys", "export", "--layer", "metadata", "--out", weft.path("metadata.json")});
    run("weft keys import",
        {"keys", "import", weft.path("metadata.json"), "--home", weft.path("h3")});
    const std::vector<std::string> in_h3 = {"--keys", weft.path("h3/keyring.json")};
    const std::string key =
        "ed25519:7dc959e2398b6050103a9804a364105f7f96bd78fc30578ee8f53949c35fb0de";
    run("weft keys trust", {"keys", "trust", key, "--name", "grace", in_h3[0], in_h3[1]});
    EXPECT_EQ(weft({"init", "--home", weft.path("h6")}).exit, 0);
    run("weft keys add", {"keys", "add", weft.path("metadata.json"), "--home", weft.path("h6")});
    run("weft keys list", {"keys", "list", in_h3[0], in_h3[1]});
    run("weft keys show", {"keys", "show", in_h3[0], in_h3[1]});
    run("weft keys remove", {"keys", "remove", "grace", in_h3[0], in_h3[1]});
    run("weft import", {"import", weft.path("web.jsonl"), "--home", weft.path("h4")});
    const std::string web = read_file(weft.path("web.jsonl")).value();
    weft.write("part.jsonl", web.substr(0, web.rfind('\n', web.size() - 2) + 1) + "{}\n");
    run("weft import", {"import", weft.path("part.jsonl"), "--home", weft.path("h5")}, 1);
    share();
  }

  Weft weft;
  JsonPage page;
};

// The first line that a command prints which runs until it is told to end.
json::object first_line(const Weft& weft, std::vector<std::string> words) {
  words.emplace_back("--json");
  StdioClient client(WEFT_BINARY, words, weft.environment);
  json::object line = client.next();
  client.kill(SIGTERM);
  client.wait();
  return line;
}

TEST_F(JsonReference, IsWhatTheProgramAnswers) {
  page.check("weft --version", weft.json({"--version"}));
  run("error", {"list"}, 1);
  run("error", {"lsit"}, 2);
  run("weft up --once", {"up", "--once", "--home", weft.path("h1")});
  run("weft init", {"init"});
  write_sessions();
  run("weft ingest", {"ingest"});
  run("weft ingest", {"ingest", weft.path("talk.txt")});
  run("weft sources", {"sources"});
  run("weft sources --files", {"sources", "--files"});
  run("weft reweave", {"reweave", "--all"});
  ask();
  fs::create_directories(weft.scratch() / ".codex");
  keep();

  run("weft tokens add", {"tokens", "add", "ada", "--rights", "read,push"});
  run("weft tokens add", {"tokens", "add", "grace", "--out", weft.path("grace.token")});
  run("weft tokens list", {"tokens", "list"});
  run("weft tokens remove", {"tokens", "remove", "ada"});

  run("weft hook install", {"hook", "install", "--yes"});
  run("weft hook install", {"hook", "uninstall", "--yes"});
  run("weft mcp install", {"mcp", "install", "claude", "--yes"});
  run("weft mcp uninstall", {"mcp", "uninstall", "claude", "--yes"});
  run("weft mcp install, without a client", {"mcp", "install"});

  {
    StdioClient server(WEFT_BINARY, {"serve", "--listen", "127.0.0.1:0", "--json"},
                       weft.environment);
    page.check("weft serve", server.next());
    run("weft open", {"open", "--print"});
    server.kill(SIGTERM);
    server.wait();
  }
  page.check("weft record", first_line(weft, {"record", "--listen", "127.0.0.1:0", "--upstream",
                                              "http://127.0.0.1:1"}));
  {
    StdioClient watching(WEFT_BINARY, {"watch", "--json"}, weft.environment);
    page.check("weft watch", watching.next());
    page.check("weft watch", first_line(weft, {"watch"}));
    Session more("33333333-3333-4333-8333-333333333333");
    more.human("one more");
    append(place(weft, more.id()), more.text());
    page.check("weft watch", watching.next());
    watching.kill(SIGTERM);
    watching.wait();
  }
  run("weft seal", {"seal", cid_of("oiled", "response"), "--yes"});
  run("weft forget", {"forget", kTwo, "--yes", "--remote", "team"});
  const std::string secret = weft.write("passphrase", "open sesame\n");
  fs::permissions(secret, fs::perms::owner_read | fs::perms::owner_write);
  run("weft keys passphrase", {"keys", "passphrase", "--new-passphrase-file", secret});

  EXPECT_THAT(page.unseen(), IsEmpty())
      << "docs/json.md documents members that no answer had: correct it, or run a command here "
         "that answers so";
}

// Commands that print no document of their own.
const std::set<std::string> kWithoutDocument = {"completion"};

TEST_F(JsonReference, HasEveryCommand) {
  const std::vector<std::string> names = page.names();
  for (const cli::Command* command : cli::all_commands()) {
    const std::string name = "weft " + std::string(command->name);
    if (kWithoutDocument.contains(std::string(command->name))) continue;
    EXPECT_TRUE(std::ranges::any_of(names,
                                    [&](const std::string& heading) {
                                      return heading == name || heading.starts_with(name + " ");
                                    }))
        << "docs/json.md has no section '### " << name
        << "'; describe its answer there, and run it in this test";
  }
}

}  // namespace
}  // namespace weft::test

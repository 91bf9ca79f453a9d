// weft tokens: what people with tokens of their own may do on a running server.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <algorithm>
#include <set>

#include "serving_for_test.hpp"
#include "sources_for_test.hpp"

namespace weft::test {
namespace {

using testing::HasSubstr;
using testing::Not;

// Passed on by a proxy, a request is not the person's own, whoever runs the test.
const std::string kPassedOn = "X-Forwarded-For: 192.0.2.1\r\n";

std::string bearer(const std::string& token) {
  return kPassedOn + (token.empty() ? "" : "Authorization: Bearer " + token + "\r\n");
}

int status_of(const std::string& answer) {
  return answer.size() < 12 ? 0 : std::stoi(answer.substr(9, 3));
}

json::object body_of(const std::string& answer) {
  const std::size_t end = answer.find("\r\n\r\n");
  const auto parsed = parse_json(answer.substr(end == std::string::npos ? 0 : end + 4));
  return parsed && parsed->value.is_object() ? parsed->value.as_object() : json::object();
}

std::string message(const std::string& method, const std::string& params = "{}") {
  return R"({"jsonrpc":"2.0","id":1,"method":")" + method + R"(","params":)" + params + "}";
}

class Tokens : public testing::Test {
 protected:
  std::string add(const std::string& name, const std::string& rights) {
    const Ran ran = weft({"tokens", "add", name, "--rights", rights, "--json"});
    EXPECT_EQ(ran.exit, 0) << ran;
    return text(ran.object(), "token");
  }
  // What every tool and route answers to somebody with these rights: 403 exactly where one lacks.
  void expect_rights(const Serving& serving, const std::string& token,
                     const std::set<std::string>& rights) {
    SCOPED_TRACE(testing::PrintToString(rights));
    const auto expect = [&](const std::string& answer, const std::string& right,
                            const std::string& what) {
      if (rights.contains(right)) {
        EXPECT_NE(status_of(answer), 403) << what << answer;
        EXPECT_NE(status_of(answer), 401) << what << answer;
      } else {
        EXPECT_EQ(status_of(answer), 403) << what << answer;
        EXPECT_THAT(answer, HasSubstr("`" + right + "`")) << what;
        EXPECT_TRUE(body_of(answer).contains("error")) << what << answer;
      }
    };
    for (const std::string& path : routes) {
      const std::string right = path == "/api/keeper" ? "keeper" : "read";
      expect(serving.get(path, bearer(token)), right, path);
    }
    for (const auto& [tool, right] : tools) {
      expect(serving.post(message("tools/call", R"({"name":")" + tool + R"(","arguments":{}})"),
                          bearer(token)),
             right, tool);
    }
    for (const char* method : {"resources/list", "resources/templates/list", "prompts/list"}) {
      expect(serving.post(message(method), bearer(token)), "read", method);
    }
    // What tells nothing of the store is for everybody with a token.
    for (const char* method : {"ping", "tools/list"}) {
      EXPECT_EQ(status_of(serving.post(message(method), bearer(token))), 200) << method;
    }
    EXPECT_EQ(status_of(serving.get("/", bearer(token))), 200);
    EXPECT_EQ(status_of(serving.get("/healthz", bearer(token))), 200);
  }
  // Every route and tool of the program, as it describes itself.
  void list_all(const Serving& serving) {
    for (const json::value& route : list(body_of(serving.get("/api/schemas")), "routes")) {
      std::string path = text(route.get_object(), "path");
      if (const std::size_t open = path.find('{'); open != std::string::npos) {
        path.replace(open, path.find('}') - open + 1, "nothing");
      }
      // These take long, and need no more than others.
      if (path != "/api/verify") routes.push_back(path);
    }
    const json::object listed = body_of(serving.post(message("tools/list")));
    for (const json::value& tool : list(listed.at("result").as_object(), "tools")) {
      const json::object& hints = tool.at("annotations").as_object();
      const bool reads = hints.at("readOnlyHint").as_bool();
      tools.emplace_back(text(tool.get_object(), "name"), reads ? "read" : "push");
    }
  }

  Weft weft;
  std::vector<std::string> routes;
  std::vector<std::pair<std::string, std::string>> tools;  // and the right that each needs
};

TEST_F(Tokens, AllowExactlyWhatTheirRightsSayOnEveryRouteAndTool) {
  const Serving serving(weft);
  list_all(serving);
  ASSERT_GT(routes.size(), 20u);
  std::set<std::string> writing;
  for (const auto& [tool, right] : tools) {
    if (right == "push") writing.insert(tool);
  }
  EXPECT_EQ(writing, (std::set<std::string>{"wot_capture_block", "wot_capture_start",
                                            "wot_capture_stop", "wot_conversation_ingest"}));
  expect_rights(serving, add("ada", "read"), {"read"});
  expect_rights(serving, add("ci", "push"), {"push"});
  expect_rights(serving, add("ops", "read,keeper"), {"read", "keeper"});
  std::string own = read_file(text(serving.said, "token_file")).value();
  own.pop_back();
  expect_rights(serving, own, {"read", "push", "keeper"});
  EXPECT_EQ(status_of(serving.get("/api/hello", bearer(""))), 401);
  EXPECT_EQ(status_of(serving.get("/api/hello", bearer("0123456789abcdef0123"))), 401);
}

TEST_F(Tokens, ThatAreRemovedAreRefusedAtOnceAndEndTheirStreams) {
  const std::string token = add("ada", "read"), other = add("grace", "read");
  const Serving serving(weft);
  EXPECT_EQ(status_of(serving.get("/api/hello", bearer(token))), 200);
  const Peer stream = serving.connect();
  stream.write("GET /api/events HTTP/1.1\r\nHost: localhost\r\n" + bearer(token) + "\r\n");
  std::string told;
  while (told.find("event: hello") == std::string::npos) {
    const std::string more = stream.read_some();
    ASSERT_FALSE(more.empty()) << told;
    told += more;
  }
  const Ran removed = weft({"tokens", "remove", "ada"});
  EXPECT_EQ(removed.exit, 0) << removed;
  EXPECT_EQ(status_of(serving.get("/api/hello", bearer(token))), 401);
  EXPECT_EQ(status_of(serving.get("/api/hello", bearer(other))), 200);
  Session session(kOne);
  session.human("hello");
  session.says("hello");
  append(place(weft, kOne), session.text());
  ASSERT_EQ(weft({"ingest", place(weft, kOne)}).exit, 0);
  EXPECT_THAT(stream.read_all(), Not(HasSubstr("grown"))) << "the stream ended before";
  EXPECT_EQ(weft({"tokens", "remove", "ada"}).exit, 1);
}

TEST_F(Tokens, AreShownOnceAndKeptNowhere) {
  const std::string token = add("ada", "read,push");
  const Ran again = weft({"tokens", "add", "ada"});
  EXPECT_EQ(again.exit, 1) << again;
  const std::string out = weft.path("grace.token");
  const Ran ran = weft({"tokens", "add", "grace", "--out", out});
  EXPECT_EQ(ran.exit, 0) << ran;
  struct stat about{};
  ASSERT_EQ(::stat(out.c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 0777, 0600u);
  std::string written = read_file(out).value();
  written.pop_back();
  EXPECT_EQ(written.size(), 64u);
  EXPECT_THAT(ran.out + ran.err, Not(HasSubstr(written)));
  {
    const Serving serving(weft);
    EXPECT_EQ(status_of(serving.get("/api/hello", bearer(written))), 200);
    EXPECT_EQ(status_of(serving.get("/api/keeper", bearer(written))), 403);
    EXPECT_THAT(serving.errors(), Not(HasSubstr(written)));
    EXPECT_THAT(serving.errors(), Not(HasSubstr(token)));
  }
  for (const auto& entry : fs::recursive_directory_iterator(weft.home())) {
    if (!entry.is_regular_file()) continue;
    const std::string bytes = read_file(entry.path().string()).value_or("");
    EXPECT_THAT(bytes, Not(HasSubstr(token))) << entry.path();
    EXPECT_THAT(bytes, Not(HasSubstr(written))) << entry.path();
  }
  const Ran listed = weft({"tokens", "list"});
  EXPECT_THAT(listed.out, HasSubstr("ada"));
  EXPECT_THAT(listed.out, HasSubstr("read,push"));
}

TEST_F(Tokens, InAFileThatOthersCanReadAreRefused) {
  add("ada", "read");
  const std::string file = weft.home() / "tokens.json";
  fs::permissions(file, fs::perms::owner_read | fs::perms::others_read);
  const Ran ran = weft({"serve", "--listen", "127.0.0.1:0"});
  EXPECT_EQ(ran.exit, 3) << ran;
  EXPECT_THAT(ran.err, HasSubstr("chmod 600"));
  EXPECT_EQ(weft({"tokens", "list"}).exit, 3);
  EXPECT_EQ(weft({"tokens", "add", "grace"}).exit, 3);
}

TEST_F(Tokens, AreRefusedWithRightsOrNamesThatThereAreNot) {
  EXPECT_EQ(weft({"tokens", "add", "ada", "--rights", "write"}).exit, 2);
  EXPECT_EQ(weft({"tokens", "add", "ada", "--rights", ""}).exit, 2);
  EXPECT_EQ(weft({"tokens", "add", "a b"}).exit, 2);
  EXPECT_FALSE(fs::exists(weft.home() / "tokens.json"));
}

TEST_F(Tokens, GoBeyondThisMachineOnlyThroughAProxyWithTls) {
  const Ran open = weft({"serve", "--listen", "0.0.0.0:0"});
  EXPECT_EQ(open.exit, 2) << open;
  EXPECT_THAT(open.err, HasSubstr("--behind-proxy"));
  const std::string token = add("ada", "read");
  const Serving serving(weft, "--listen 0.0.0.0:0 --behind-proxy --host weft.example");
  EXPECT_EQ(status_of(serving.get("/api/hello")), 403) << "not even the person's own programs";
  EXPECT_EQ(status_of(serving.get("/api/hello", bearer(token))), 403);
  EXPECT_EQ(status_of(serving.get("/api/hello", bearer(token) + "X-Forwarded-Proto: https\r\n")),
            200);
  EXPECT_EQ(status_of(serving.get("/healthz")), 200);
}

}  // namespace
}  // namespace weft::test

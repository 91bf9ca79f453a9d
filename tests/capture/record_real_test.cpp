// Real recorded streams through weft record: what comes out at the client is what went in, and the
// web is the one that the log of the same exchanges gives.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>

#include "record_for_test.hpp"

namespace weft::test {
namespace {

namespace fs = std::filesystem;

struct Recorded {
  std::string name, request, stream;
};

// Each *.chunks.jsonl of a folder as a stream, asked for by its name.
std::vector<Recorded> streams_in(const fs::path& folder, std::string_view member) {
  std::vector<Recorded> all;
  for (const auto& file : fs::recursive_directory_iterator(folder)) {
    const std::string name = file.path().filename().string();
    if (!name.ends_with(".chunks.jsonl")) continue;
    Recorded one{.name = name};
    one.request = R"({"model":"m","stream":true,")" + std::string(member) +
                  R"(":[{"role":"user","content":"Tell of )" + name + R"("}]})";
    std::ifstream lines(file.path());
    for (std::string line; std::getline(lines, line);) {
      if (!line.empty()) one.stream += "data: " + line + "\n\n";
    }
    all.push_back(std::move(one));
  }
  std::ranges::sort(all, {}, &Recorded::name);
  return all;
}

// The text of each conversation, block by block, without times; by its first words.
std::map<std::string, std::vector<std::string>> texts_of(const Weft& weft,
                                                         const std::string& home) {
  std::map<std::string, std::vector<std::string>> all;
  const std::string keys = (weft.home() / "keyring.json").string();
  const auto ask = [&](std::vector<std::string> words) {
    for (const std::string& word : {std::string("--home"), home, std::string("--keys"), keys})
      words.push_back(word);
    return weft.json(words);
  };
  for (const json::value& value : list(ask({"list", "--limit", "1000"}), "conversations")) {
    std::vector<std::string> blocks;
    std::string first;
    const json::object walked = ask({"walk", text(value.as_object(), "cid"), "--all"});
    for (const json::value& turn : list(walked, "turns")) {
      for (const json::value& thought : list(turn.as_object(), "thoughts")) {
        json::object content = thought.as_object().at("content").as_object();
        content.erase("duration_ms");
        if (first.empty()) first = std::string(find_string(content, "text").value_or(""));
        blocks.push_back(text(thought.as_object(), "type") + " " + canonical_json(content));
      }
    }
    all[first] = blocks;
  }
  return all;
}

void check(std::string_view fixtures, std::string_view path, std::string_view member,
           std::string_view format, std::size_t at_least) {
  const fs::path folder =
      fs::path(WEFT_SOURCE_DIR).parent_path() / "shared" / "fixtures" / fixtures;
  if (!fs::exists(folder)) GTEST_SKIP() << "no " << folder;
  const std::vector<Recorded> all = streams_in(folder, member);
  ASSERT_GT(all.size(), at_least);
  Weft weft;
  MockApi api([&](Peer& client, const Asked& asked) {
    const auto found = std::ranges::find(all, asked.body, &Recorded::request);
    if (found == all.end()) return false;
    const std::string bytes = ok(found->stream, "text/event-stream");
    for (std::string_view rest = bytes; !rest.empty();) {
      const std::string_view piece = rest.substr(0, 997);  // cut wherever that falls
      client.write(piece);
      rest.remove_prefix(piece.size());
    }
    return true;
  });
  std::string log;
  {
    Recording recording(weft, api.url());
    Peer client = recording.connect();
    for (const Recorded& one : all) {
      client.write(post(path, one.request));
      const std::string wanted = ok(one.stream, "text/event-stream");
      ASSERT_EQ(client.read_exactly(wanted.size()), wanted) << one.name;
      log += R"({"timestamp":"2026-02-02T02:40:00Z","request":)" + one.request + R"(,"response":)" +
             canonical_json(json::object{{"body", one.stream}}) + "}\n";
    }
    ASSERT_TRUE(is_woven(weft));
    ASSERT_EQ(recording.stop(), 0);
  }
  const std::string other = weft.path("other");
  const Ran ran = weft({"ingest", weft.write("log.jsonl", log), "--format", std::string(format),
                        "--home", other, "--keys", (weft.home() / "keyring.json").string()});
  ASSERT_EQ(ran.exit, 0) << ran;
  const auto recorded = texts_of(weft, weft.home().string()), logged = texts_of(weft, other);
  EXPECT_EQ(recorded.size(), all.size());
  for (const auto& [words, blocks] : logged) {
    ASSERT_TRUE(recorded.contains(words)) << words;
    EXPECT_EQ(recorded.at(words), blocks) << words;
  }
  EXPECT_EQ(weft({"verify"}).exit, 0);
}

TEST(RecordReal, StreamsOfTheMessagesApi) {
  check("anthropic-api", "/v1/messages", "messages", "anthropic-messages", 10);
}

TEST(RecordReal, StreamsOfOpenAi) {
  check("openai-api", "/v1/responses", "messages", "openai", 20);
}

}  // namespace
}  // namespace weft::test

// A conversation with the Messages API goes in as a log of it, is kept, and comes back to be
// sent again: the real binary, a store that is closed and opened in between.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "every_block_for_test.hpp"
#include "program.hpp"
#include "replay_for_test.hpp"

namespace weft::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

json::object parsed(std::string_view text) {
  const Result<ParsedJson> value = parse_json(text);
  EXPECT_TRUE(value) << value.error().message;
  return value && value->value.is_object() ? value->value.get_object() : json::object();
}

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class Replay : public testing::Test {
 protected:
  // The one conversation of a log.
  std::string ingest(std::string_view log) {
    const std::string path = weft.write("log" + std::to_string(++logs_) + ".jsonl", log);
    const json::object ingested = weft.json({"ingest", path, "--format", "anthropic-messages"});
    const json::array conversations = list(ingested, "conversations");
    EXPECT_EQ(conversations.size(), 1u) << canonical_json(ingested);
    if (conversations.empty()) return "";
    return text(conversations[0].as_object(), "conversation_cid");
  }
  std::string ingest(const json::object& request, const json::value& response) {
    return ingest(canonical_json(json::object{{"request", request}, {"response", response}}) +
                  "\n");
  }
  Ran exported(std::vector<std::string> more) const {
    more.insert(more.begin(), "export");
    if (std::ranges::find(more, "--as") == more.end()) {
      more.insert(more.end(), {"--as", "anthropic-messages"});
    }
    return weft(more);
  }
  json::object replayed(const std::string& conversation) const {
    const Ran ran = exported({conversation});
    EXPECT_EQ(ran.exit, 0) << ran;
    const json::object request = parsed(ran.out);
    EXPECT_EQ(broken_rule(request), "") << ran;
    return request;
  }
  // The thoughts of a kind, in order.
  std::vector<std::string> find(const std::string& conversation, std::string_view kind) const {
    std::vector<std::string> cids;
    for (const json::value& turn : list(weft.json({"walk", conversation, "--all"}), "turns")) {
      for (const json::value& thought : list(turn.as_object(), "thoughts")) {
        if (text(thought.as_object(), "type").ends_with(kind)) {
          cids.push_back(text(thought.as_object(), "cid"));
        }
      }
    }
    return cids;
  }

  Weft weft;

 private:
  int logs_ = 0;
};

TEST_F(Replay, EveryBlockComesBackAsItWasSent) {
  const json::object request = parsed(kRequest);
  const json::object response{{"id", "msg_01"},         {"type", "message"},
                              {"role", "assistant"},    {"model", "claude-opus-4-5"},
                              {"content", answer()},    {"stop_reason", "end_turn"},
                              {"usage", json::object()}};
  const std::string conversation = ingest(request, response);
  const json::object again = replayed(conversation);
  EXPECT_EQ(difference(sent(request, answer()), again), "");
  // To the byte, even where the comparison ignores a difference.
  const std::string out = exported({conversation}).out;
  for (const char* kept : {R"("signature":"EqQBCgIYAhIM+/==")", R"("data":"EroBCkYIARgCKkD+/8=")",
                           R"({"type":"thinking","thinking":"","signature":"hollow+sig=="})",
                           R"("encrypted_content":"Eo8BCio+/=")", R"("text":"Anything else?\n")"}) {
    EXPECT_THAT(out, HasSubstr(kept));
  }
  EXPECT_THAT(out, Not(HasSubstr("cache_control")));
  EXPECT_THAT(out, Not(HasSubstr("nobody signed this")));
  EXPECT_THAT(exported({conversation}).err, HasSubstr("1 × unsigned thinking, left out"));
}

TEST_F(Replay, WhatCameAsAStreamIsWhatCameWhole) {
  const json::array events = events_of(answer());
  const json::object request = parsed(kRequest);
  const std::string conversation = ingest(request, events);
  EXPECT_EQ(difference(sent(request, answer()), replayed(conversation)), "");
}

TEST_F(Replay, AConversationOverSeveralRequestsIsOne) {
  json::object request = parsed(kRequest);
  std::string log;
  json::array messages = request["messages"].as_array();
  const std::vector<json::array> answers = {
      {json::object{{"type", "thinking"}, {"thinking", "One."}, {"signature", "s1"}},
       json::object{
           {"type", "tool_use"}, {"id", "toolu_9"}, {"name", "look"}, {"input", json::object()}}},
      {json::object{{"type", "text"}, {"text", "Done."}}}};
  const json::array inputs[] = {
      {json::object{{"type", "tool_result"}, {"tool_use_id", "toolu_9"}, {"content", "seen"}}},
      {json::object{{"type", "text"}, {"text", "Thanks."}}}};
  for (std::size_t i = 0; i < answers.size(); ++i) {
    request["messages"] = messages;
    const json::object response{{"id", "msg_" + std::to_string(i)},
                                {"type", "message"},
                                {"role", "assistant"},
                                {"model", "claude-opus-4-5"},
                                {"content", answers[i]}};
    log += canonical_json(json::object{{"request", request}, {"response", response}}) + "\n";
    messages.push_back(json::object{{"role", "assistant"}, {"content", answers[i]}});
    messages.push_back(json::object{{"role", "user"}, {"content", inputs[i]}});
  }
  request["messages"] = messages;
  log += canonical_json(json::object{{"request", request}}) + "\n";
  EXPECT_EQ(difference(request, replayed(ingest(log))), "");
}

TEST_F(Replay, ASystemPromptThatChangedComesBackAsItWasLast) {
  const auto line = [](std::string_view system, std::string_view more) {
    return R"({"request":{"model":"m","max_tokens":9,"system":)" + std::string(system) +
           R"(,"messages":[{"role":"user","content":"Hi."})" + std::string(more) + "]}}\n";
  };
  const std::string_view second =
      R"(,{"role":"assistant","content":"Hello."},{"role":"user","content":"Bye."})";
  const auto prompt = [&](std::string_view before, std::string_view after) {
    const json::object again = replayed(ingest(line(before, "") + line(after, second)));
    EXPECT_EQ(again.at("messages").as_array().size(), 3u);
    return canonical_json(normal(again).at("system"));
  };
  EXPECT_EQ(prompt(R"("Be terse.")", R"("Be kind.")"), R"([{"text":"Be kind.","type":"text"}])");
  EXPECT_EQ(prompt(R"([{"type":"text","text":"A"},{"type":"text","text":"Monday"}])",
                   R"([{"type":"text","text":"A"},{"type":"text","text":"Tuesday"}])"),
            R"([{"text":"A","type":"text"},{"text":"Tuesday","type":"text"}])");
}

TEST_F(Replay, ACallThatNobodyAnsweredIsClosedAndSaidSo) {
  const std::string conversation = ingest(
      R"({"request":{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"Hi."},)"
      R"({"role":"assistant","content":[{"type":"tool_use","id":"a","name":"look","input":{}},)"
      R"({"type":"tool_use","id":"b","name":"look","input":{}}]},)"
      R"({"role":"user","content":[{"type":"tool_result","tool_use_id":"b","content":"ok"},{"type":"text","text":"Stop."}]}]}})"
      "\n");
  const Ran ran = exported({conversation});
  EXPECT_EQ(ran.exit, 0);
  EXPECT_THAT(ran.err, HasSubstr("1 × call without a result: an error takes its place"));
  EXPECT_THAT(
      ran.out,
      HasSubstr(
          R"({"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"No result of this call was recorded.","is_error":true},{"type":"tool_result","tool_use_id":"b","content":"ok"},{"type":"text","text":"Stop."}]})"));
}

TEST_F(Replay, AnAnswerAloneGetsABeginning) {
  const std::string conversation = ingest(
      R"({"id":"msg_7","type":"message","role":"assistant","model":"m","content":[{"type":"text","text":"Hello."}]})"
      "\n");
  const Ran ran = exported({conversation});
  EXPECT_THAT(ran.err, HasSubstr("1 × message of the user's made up"));
  EXPECT_EQ(broken_rule(parsed(ran.out)), "");
  EXPECT_THAT(ran.out,
              HasSubstr(R"({"role":"assistant","content":[{"type":"text","text":"Hello."}]})"));
}

// A value that JSON values cannot represent is kept as its text; its result finds it.
TEST_F(Replay, AnInputBeyondDoubleGoesBackAsItsText) {
  const std::string conversation = ingest(
      R"({"request":{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"Hi."},)"
      R"({"role":"assistant","content":[{"type":"tool_use","id":"a","name":"look","input":{"n":1e400}}]},)"
      R"({"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"ok"}]}]}})"
      "\n");
  const Ran ran = exported({conversation});
  EXPECT_THAT(ran.out, HasSubstr(R"("input":{"n":1e400})"));
  EXPECT_THAT(ran.out, HasSubstr(R"({"type":"tool_result","tool_use_id":"a","content":"ok"})"));
}

TEST_F(Replay, UptoCutsBehindAThoughtAndBranchPicksOne) {
  const std::string_view head =
      R"({"request":{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"Hi."},{"role":"assistant","content":"Hello."},)";
  const std::string conversation =
      ingest(std::string(head) +
             R"({"role":"user","content":"Left."},{"role":"assistant","content":"West."}]}})"
             "\n" +
             std::string(head) +
             R"({"role":"user","content":"Right."},{"role":"assistant","content":"East."}]}})"
             "\n");
  const auto words = [&](std::vector<std::string> options) {
    options.insert(options.begin(), conversation);
    const Ran ran = exported(options);
    EXPECT_EQ(ran.exit, 0) << ran;
    std::string content;
    const json::value request = parsed(ran.out);
    for (const json::value& message : request.at("messages").as_array()) {
      for (const json::value& block : message.at("content").as_array()) {
        content += text(block.as_object(), "text") + " ";
      }
    }
    return content;
  };
  EXPECT_EQ(words({}), "Hi. Hello. Right. East. ");
  const std::vector<std::string> human = find(conversation, "/human_input");
  const std::vector<std::string> responses = find(conversation, "/response");
  ASSERT_EQ(human.size(), 3u);
  ASSERT_EQ(responses.size(), 3u);
  EXPECT_EQ(words({"--upto", responses[0]}), "Hi. Hello. ");
  EXPECT_EQ(words({"--upto", human[2]}), "Hi. Hello. Right. ");
  // On another branch than the main one.
  EXPECT_EQ(words({"--upto", human[1]}), "Hi. Hello. Left. ");
  std::vector<std::string> turns;
  for (const json::value& turn : list(weft.json({"walk", conversation, "--all"}), "turns")) {
    turns.push_back(text(turn.as_object(), "cid"));
  }
  ASSERT_EQ(turns.size(), 6u);
  EXPECT_EQ(words({"--branch", turns[3]}), "Hi. Hello. Left. West. ");
  EXPECT_EQ(words({"--branch", turns[3], "--upto", human[1]}), "Hi. Hello. Left. ");
  const Ran elsewhere = exported({conversation, "--branch", turns[3], "--upto", human[2]});
  EXPECT_EQ(elsewhere.exit, 3) << elsewhere;
  EXPECT_THAT(elsewhere.err, HasSubstr("not on this branch"));
  // As text, too.
  const Ran transcript =
      weft({"export", conversation, "--as", "anthropic-transcript", "--upto", human[1]});
  EXPECT_THAT(transcript.out, HasSubstr("Left."));
  EXPECT_THAT(transcript.out, Not(HasSubstr("West.")));
  EXPECT_THAT(transcript.out, Not(HasSubstr("Right.")));
  const Ran thoughts = weft({"export", conversation, "--as", "thoughts", "--upto", human[1]});
  EXPECT_EQ(thoughts.exit, 2) << thoughts;
  EXPECT_THAT(thoughts.err, HasSubstr("exported as a whole"));
}

TEST_F(Replay, WithoutTheContentKeyThinkingIsLeftOutAndTheRestIsValid) {
  const std::string conversation = ingest(parsed(kRequest), nullptr);
  const std::string keys = weft.path("m.json");
  const Ran key = weft({"keys", "export", "--layer", "metadata"});
  ASSERT_EQ(weft({"keys", "import", weft.write("export.json", key.out), "--keys", keys}).exit, 0);
  const Ran ran = exported({conversation, "--keys", keys});
  ASSERT_EQ(ran.exit, 0) << ran;
  EXPECT_EQ(broken_rule(parsed(ran.out)), "");
  // Four thoughts, and what is of no known kind: a search result and an upload.
  EXPECT_THAT(ran.err, HasSubstr("6 × block that the keyring cannot open, left out"));
  EXPECT_THAT(ran.out, Not(HasSubstr("thinking")));
  EXPECT_THAT(ran.out, HasSubstr("toolu_01A"));
}

TEST_F(Replay, JsonAndOutSayWhatWasLeftOutToo) {
  const std::string conversation = ingest(parsed(kRequest), nullptr);
  const Ran ran = weft({"export", conversation, "--as", "anthropic-messages", "--json"});
  const json::object wrapped = ran.object();
  EXPECT_EQ(text(wrapped, "as"), "anthropic-messages");
  EXPECT_EQ(broken_rule(parsed(text(wrapped, "text"))), "");
  EXPECT_EQ(canonical_json(wrapped.at("notes")), R"(["1 × unsigned thinking, left out"])");
  const std::string file = weft.path("request.json");
  EXPECT_EQ(exported({conversation, "--out", file}).exit, 0);
  EXPECT_EQ(read(file), text(wrapped, "text"));
}

// --- real answers of the API

std::vector<fs::path> recordings() {
  const fs::path root = fs::path(WEFT_SOURCE_DIR).parent_path() / "shared/fixtures/anthropic-api";
  std::vector<fs::path> files;
  if (!fs::exists(root)) return files;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    const std::string path = entry.path().string();
    const bool is_other = path.find("/skills/") != std::string::npos;
    const bool is_recording =
        path.ends_with(".json") || path.ends_with(".jsonl") || path.ends_with(".sse");
    if (is_recording && !is_other) files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

std::vector<json::object> events_in(const std::string& text) {
  std::vector<json::object> events;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("data:")) line.erase(0, 5);
    if (line.find('{') == std::string::npos) continue;
    events.push_back(parsed(line));
  }
  return events;
}

TEST_F(Replay, WhatTheApiSaidComesBackBlockForBlock) {
  const std::vector<fs::path> files = recordings();
  if (files.empty()) GTEST_SKIP() << "no fixtures beside the repository";
  std::size_t blocks = 0;
  for (const fs::path& file : files) {
    SCOPED_TRACE(file.filename().string());
    const std::string text = read(file);
    // Each with a question of its own, so that it is a conversation of its own.
    const json::object request{
        {"model", "claude-opus-4-5"},
        {"max_tokens", 1024},
        {"messages", json::array{json::object{{"role", "user"}, {"content", file.string()}}}}};
    json::array content;
    std::string conversation;
    if (file.extension() == ".json") {
      const json::object body = parsed(text);
      content = body.at("content").as_array();
      conversation = ingest(request, body);
    } else {
      const std::vector<json::object> events = events_in(text);
      content = streamed_content(events);
      conversation = ingest(request, json::array(events.begin(), events.end()));
    }
    blocks += content.size();
    EXPECT_EQ(difference(sent(request, content), replayed(conversation)), "");
  }
  EXPECT_GT(blocks, 150u);
}

}  // namespace
}  // namespace weft::test

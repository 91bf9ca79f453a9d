// The same web whichever way it came: heard on the wire, from the log of the API, pushed block by
// block. Where the sources hold equal facts, the block thoughts are equal, CID for CID.
//
// What remains different, and why:
// - The conversation, its turns and what hangs on them: each way has its own format and session id
//   ("b3:…" of the first record of a log or wire; the pushed session's own).
// - Times: a log that does not say when the answer came gives its blocks the time of the record; a
//   block that is pushed without times is stamped when it is pushed.
// - A system prompt is said by the program, and that is `anthropic-api` on the wire and in logs,
//   `anthropic-transcript` where it is pushed; what rests on it differs with it.
#include <gtest/gtest.h>

#include "weft/capture/agent/recording_for_test.hpp"
#include "weft/capture/proxy/journal_weaver.hpp"
#include "weft/store/scan_for_test.hpp"

namespace weft::capture {
namespace {

constexpr Millis kAsked = 1'770'000'000'000;

std::string text_of(const Millis time) { return to_iso8601(time); }

// An exchange: when it was asked, and the events of the answer with their times.
struct Exchange {
  Millis asked;
  std::string request;
  std::vector<std::pair<Millis, std::string>> events;
};

std::string event(std::string_view json) { return "data: " + std::string(json) + "\n\n"; }

std::vector<Exchange> conversation(std::string_view system) {
  const std::string head = R"({"model":"claude-x","max_tokens":9,"stream":true,)" +
                           std::string(system) + R"("messages":[{"role":"user","content":"Why?"})";
  const auto start = [](std::string_view id) {
    return event(R"({"type":"message_start","message":{"id":")" + std::string(id) +
                 R"(","type":"message","role":"assistant","model":"claude-x","content":[]}})");
  };
  const std::string stop = event(R"({"type":"message_delta","delta":{"stop_reason":"end_turn"}})") +
                           event(R"({"type":"message_stop"})");
  return {
      {kAsked,
       head + "]}",
       {{kAsked + 1'000, start("msg_1")},
        {kAsked + 2'000,
         event(
             R"({"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}})")},
        {kAsked + 3'000,
         event(
             R"({"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"Because of"}})")},
        {kAsked + 3'500,
         event(
             R"({"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"c2ln"}})")},
        {kAsked + 4'000, event(R"({"type":"content_block_stop","index":0})")},
        {kAsked + 5'000,
         event(
             R"({"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"toolu_1","name":"look","input":{}}})")},
        {kAsked + 5'500,
         event(
             R"({"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{\"at\":1}"}})")},
        {kAsked + 6'000, event(R"({"type":"content_block_stop","index":1})")},
        {kAsked + 6'500, stop}}},
      {kAsked + 10'000,
       head +
           R"(,{"role":"assistant","content":[{"type":"thinking","thinking":"Because of","signature":"c2ln"},)"
           R"({"type":"tool_use","id":"toolu_1","name":"look","input":{"at":1}}]},)"
           R"({"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"a cat"}]}]})",
       {{kAsked + 11'000,
         start("msg_2") +
             event(
                 R"({"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}})")},
        {kAsked + 12'000,
         event(
             R"({"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"A cat."}})") +
             event(R"({"type":"content_block_stop","index":0})") + stop}}}};
}

struct Ways : Recording {
  // On the wire: the bytes of a connection, and a clock that says when they came.
  std::set<Cid> recorded(const std::vector<Exchange>& all) {
    const auto store = open(fresh_name());
    const Journal journal = Journal::open(scratch.path() / "record", keyring).value();
    ExchangeWeaver weaver(*store, keyring, options());
    {
      JournalWeaver journal_weaver(weaver, journal,
                                   [](const std::string& line) { ADD_FAILURE() << line; });
      ExchangeTap tap({.host = "api.example", .prefix = {}}, [&](const net::MessageHead& head) {
        return open_journal_listener(
            head, journal, journal_weaver, [this] { return now; },
            [](const std::string& line) { ADD_FAILURE() << line; });
      });
      std::string out;
      for (const Exchange& exchange : all) {
        now = exchange.asked;
        tap.from_client("POST /v1/messages HTTP/1.1\r\nHost: h\r\nContent-Length: " +
                            std::to_string(exchange.request.size()) + "\r\n\r\n" + exchange.request,
                        out);
        std::size_t size = 0;
        for (const auto& [time, bytes] : exchange.events) size += bytes.size();
        now = exchange.events.front().first;
        tap.from_upstream("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: " +
                          std::to_string(size) + "\r\n\r\n");
        for (const auto& [time, bytes] : exchange.events) {
          now = time;
          tap.from_upstream(bytes);
        }
      }
    }
    return blocks_of(*store);
  }

  enum class Times { of_answers, of_records };
  std::set<Cid> logged(const std::vector<Exchange>& all, Times times) {
    std::string log;
    for (const Exchange& exchange : all) {
      json::array came;
      std::string body;
      for (const auto& [time, bytes] : exchange.events) {
        came.push_back(json::array{body.size(), time});
        body += bytes;
      }
      json::object response{{"status", 200}, {"body", body}};
      if (times == Times::of_answers) response["times"] = came;
      log += R"({"timestamp":")" + text_of(exchange.asked) + R"(","request":)" + exchange.request +
             R"(,"response":)" + canonical_json(response) + "}\n";
    }
    const std::filesystem::path path = scratch.path() / "log.jsonl";
    std::ofstream(path, std::ios::binary) << log;
    const auto store = open(fresh_name());
    ingest::Options all_options = options();
    all_options.paths = {path};
    const auto report = ingest::ingest(*store, keyring, all_options);
    EXPECT_TRUE(report && report->conversations.size() == 1);
    return blocks_of(*store);
  }

  std::set<Cid> pushed() {
    const auto store = open(fresh_name());
    Recorder recorder(*store, keyring, options());
    EXPECT_TRUE(recorder.start("s"));
    const auto push = [&](transcript::Role role, std::string_view json, Millis from, Millis to) {
      json::object block = parse_json(json).value().value.as_object();
      block["start_timestamp"] = text_of(from);
      if (to != 0) block["stop_timestamp"] = text_of(to);
      EXPECT_TRUE(recorder.record("s", block, role));
    };
    using transcript::Role;
    push(Role::human, R"({"type":"text","text":"Why?"})", kAsked, 0);
    push(Role::assistant, R"({"type":"thinking","thinking":"Because of","signature":"c2ln"})",
         kAsked + 2'000, kAsked + 4'000);
    push(Role::assistant, R"({"type":"tool_use","id":"toolu_1","name":"look","input":{"at":1}})",
         kAsked + 5'000, kAsked + 6'000);
    push(Role::assistant, R"({"type":"tool_result","tool_use_id":"toolu_1","content":"a cat"})",
         kAsked + 10'000, 0);
    push(Role::assistant, R"({"type":"text","text":"A cat."})", kAsked + 11'000, kAsked + 12'000);
    return blocks_of(*store);
  }

  static bool is_block(std::string_view type) {
    for (const std::string_view other : {"conversation", "conversation_facts", "turn", "usage"}) {
      if (type.ends_with("/" + std::string(other))) return false;
    }
    return type.find('/') != std::string_view::npos && !type.starts_with("schema/") &&
           !type.starts_with("input/");
  }
  std::set<Cid> blocks_of(const store::Store& store) {
    std::set<Cid> blocks;
    outline.clear();
    const store::Scan all = store::scan(store);
    EXPECT_TRUE(all.status);
    EXPECT_TRUE(all.broken.empty());
    for (const thought::Thought& one : all.thoughts) {
      if (!is_block(one.type)) continue;
      blocks.insert(one.cid);
      outline.insert(one.type + " " + std::to_string(one.created_at - kAsked));
    }
    return blocks;
  }
  std::multiset<std::string> outline;  // of the web last looked at
};

TEST(SameWeb, HeardOnTheWireItIsThatOfTheLog) {
  Ways ways;
  const auto exchange = conversation(R"("system":"Be brief.",)");
  const std::set<Cid> recorded = ways.recorded(exchange);
  EXPECT_EQ(ways.outline, (std::multiset<std::string>{
                              "anthropic/system_input 0", "anthropic/human_input 0",
                              "anthropic/thinking 2000", "anthropic/tool_request 5000",
                              "anthropic/tool_result 10000", "anthropic/response 11000"}));
  EXPECT_EQ(ways.logged(exchange, Ways::Times::of_answers), recorded);
}

TEST(SameWeb, ALogWithoutTheTimesOfAnswersDiffersInTheseAlone) {
  Ways ways;
  const auto exchange = conversation("");
  ways.logged(exchange, Ways::Times::of_records);
  EXPECT_EQ(ways.outline,
            (std::multiset<std::string>{"anthropic/human_input 0", "anthropic/thinking 0",
                                        "anthropic/tool_request 0", "anthropic/tool_result 10000",
                                        "anthropic/response 10000"}));
}

TEST(SameWeb, PushedBlockByBlockItIsTheSame) {
  Ways ways;
  EXPECT_EQ(ways.pushed(), ways.recorded(conversation("")));
}

TEST(SameWeb, ASystemPromptIsSaidByAnotherProgram) {
  Ways ways;
  const std::set<Cid> without = ways.recorded(conversation(""));
  const std::set<Cid> with = ways.recorded(conversation(R"("system":"Be brief.",)"));
  EXPECT_EQ(with.size(), without.size() + 1);
  std::vector<Cid> shared;
  std::ranges::set_intersection(with, without, std::back_inserter(shared));
  EXPECT_LT(shared.size(), without.size()) << "what rests on the prompt rests on one more thought";
}

}  // namespace
}  // namespace weft::capture

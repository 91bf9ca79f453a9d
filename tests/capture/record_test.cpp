// weft record between a client and an API: bytes pass unchanged, and the exchange is in the web.
#include <gtest/gtest.h>
#include <zlib.h>
#include <zstd.h>

#include "record_for_test.hpp"

namespace weft::test {
namespace {

using Lines = std::vector<std::string>;

// Says these answers, one for each request, keeping the connection.
MockApi::Answer says(std::vector<std::string> answers) {
  auto next = std::make_shared<std::atomic<std::size_t>>(0);
  return [=](Peer& client, const Asked&) {
    const std::size_t i = (*next)++;
    return i < answers.size() && client.write(answers[i]);
  };
}

std::string replace_host(std::string head, const std::string& host) {
  const std::size_t at = head.find("Host: ") + 6;
  return head.replace(at, head.find("\r\n", at) - at, host);
}

// A whole answer of the mock's, from a connection that stays open.
std::string exchange(Peer& peer, const std::string& request, std::size_t answer_size) {
  EXPECT_TRUE(peer.write(request));
  return peer.read_exactly(answer_size);
}

TEST(Record, BytesPassAsTheyAreBothWays) {
  const std::string stream = chunked_stream(message_events("msg_1", "I think", "Hello."));
  const std::vector<std::string> answers = {
      stream, "HTTP/1.1 404 not  here\r\nX-ODD:   spaces  \r\ncontent-length:3\r\n\r\nno\n",
      "HTTP/1.1 204 No Content\r\nA: b\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n"};
  const std::string body = messages(user("Hi."));
  const std::vector<std::string> requests = {
      post("/v1/messages?beta=true", body, "X-Strange:  case AND   blanks \r\n"),
      "GET /v1/models HTTP/1.1\r\nHost: 127.0.0.1\r\nx-a: 1\r\nX-A: 2\r\n\r\n",
      "POST /v1/messages/count_tokens HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: "
      "chunked\r\n\r\n3;ext\r\n{}\n\r\n0\r\n\r\n",
      "HEAD /v1/files HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"};
  Weft weft;
  MockApi direct(says(answers)), behind(says(answers));
  Recording recording(weft, behind.url());
  Peer to_direct = Peer::to(direct.port()), to_proxy = recording.connect();
  for (std::size_t i = 0; i < requests.size(); ++i) {
    EXPECT_EQ(exchange(to_direct, requests[i], answers[i].size()), answers[i]);
    EXPECT_EQ(exchange(to_proxy, requests[i], answers[i].size()), answers[i]) << i;
  }
  ASSERT_EQ(behind.asked().size(), direct.asked().size());
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const std::string host = behind.url().substr(7);
    EXPECT_EQ(behind.asked()[i].bytes(),
              replace_host(direct.asked()[i].head, host) + direct.asked()[i].body);
  }
  EXPECT_EQ(behind.connections(), 1u) << "the connection is kept";
  ASSERT_TRUE(is_woven(weft));
  EXPECT_EQ(
      outlines(weft),
      (Lines{"system: system_input(Be brief.) | human: human_input(Hi.) | assistant: thinking "
             "response(Hello.)"}));
}

TEST(Record, AStreamThatComesByteByByteIsTheSame) {
  const std::string stream = chunked_stream(message_events("msg_1", "I think", "Hel\\u00e9."));
  Weft weft;
  MockApi api([&](Peer& client, const Asked&) {
    for (const char byte : stream) client.write({&byte, 1});
    return true;
  });
  Recording recording(weft, api.url());
  Peer client = recording.connect();
  for (const char byte : post("/v1/messages", messages(user("Hi.")))) client.write({&byte, 1});
  EXPECT_EQ(client.read_exactly(stream.size()), stream);
  ASSERT_TRUE(is_woven(weft));
  EXPECT_EQ(outlines(weft).at(0),
            "system: system_input(Be brief.) | human: human_input(Hi.) | assistant: thinking "
            "response(Hel\u00e9.)");
}

TEST(Record, SuccessiveRequestsAreOneConversation) {
  const Lines requests = {
      messages(user("One?")),
      messages(user("One?") + "," + assistant("msg_1", "thought one", "1.") + "," + user("Two?")),
      // The second question put otherwise: a fork.
      messages(user("One?") + "," + assistant("msg_1", "thought one", "1.") + "," + user("II?")),
      // Another program's side call.
      messages(user("A title, please."))};
  Lines answers;
  for (const char* n : {"1", "2", "3", "4"}) {
    answers.push_back(chunked_stream(
        message_events(std::string("msg_") + n, "thought one", n + std::string("."))));
  }
  Weft weft;
  MockApi api(says(answers));
  {
    Recording recording(weft, api.url());
    Peer client = recording.connect();
    for (int i = 0; i < 2; ++i)
      EXPECT_EQ(exchange(client, post("/v1/messages", requests[i]), answers[i].size()), answers[i]);
    ASSERT_TRUE(is_woven(weft));
    EXPECT_EQ(recording.stop(), 0);
  }
  // It continues after a restart.
  MockApi rest(says({answers[2], answers[3]}));
  Recording recording(weft, rest.url());
  Peer client = recording.connect();
  for (int i = 2; i < 4; ++i) {
    EXPECT_EQ(exchange(client, post("/v1/messages", requests[i]), answers[i].size()), answers[i]);
    ASSERT_TRUE(is_woven(weft));
  }
  EXPECT_EQ(outlines(weft),
            (Lines{"system: system_input(Be brief.) | human: human_input(A title, please.) | "
                   "assistant: thinking response(4.)",
                   "system: system_input(Be brief.) | human: human_input(One?) | assistant: "
                   "thinking response(1.) | human: human_input(Two?) | assistant: thinking "
                   "response(2.) | human: human_input(II?) | assistant: thinking response(3.)"}));
  EXPECT_EQ(weft({"verify"}).exit, 0);
}

TEST(Record, ARetryAfterAnErrorDoublesNothing) {
  const std::string overloaded =
      "HTTP/1.1 529 Overloaded\r\nContent-Type: application/json\r\nContent-Length: 76\r\n\r\n"
      R"({"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}  )";
  const std::string answer = chunked_stream(message_events("msg_1", "I think", "Hello."));
  Weft weft;
  MockApi api(says({overloaded.substr(0, overloaded.size() - 1), answer}));
  Recording recording(weft, api.url());
  Peer client = recording.connect();
  const std::string request = post("/v1/messages", messages(user("Hi.")));
  exchange(client, request, overloaded.size() - 1);
  exchange(client, request, answer.size());
  ASSERT_TRUE(is_woven(weft));
  EXPECT_EQ(outlines(weft),
            (Lines{"system: system_input(Be brief.) | human: human_input(Hi.) | assistant: "
                   "failure(Overloaded) thinking response(Hello.)"}));
}

TEST(Record, BothApisOfOpenAiStreamedAndNot) {
  const auto chunk = [](std::string_view rest) {
    return R"(data: {"id":"c1","object":"chat.completion.chunk","created":1770000000,"model":"gpt-x",)" +
           std::string(rest) + "}\n\n";
  };
  const std::string chat = chunked_stream(
      {chunk(R"("choices":[{"index":0,"delta":{"role":"assistant","content":"Hel"}}])"),
       chunk(R"("choices":[{"index":0,"delta":{"content":"lo."},"finish_reason":"stop"}])"),
       "data: [DONE]\n\n"});
  const std::string response = ok(
      R"({"id":"resp_1","object":"response","created_at":1770000000,"status":"completed","model":"gpt-x",)"
      R"("output":[{"type":"message","id":"m1","role":"assistant","content":[{"type":"output_text",)"
      R"("text":"Yes.","annotations":[]}]}]})");
  const std::string next = ok(
      R"({"id":"resp_2","object":"response","created_at":1770000001,"status":"completed","model":"gpt-x",)"
      R"("output":[{"type":"message","id":"m2","role":"assistant","content":[{"type":"output_text",)"
      R"("text":"Still.","annotations":[]}]}]})");
  Weft weft;
  MockApi api(says({chat, response, next}));
  Recording recording(weft, api.url());
  Peer client = recording.connect();
  exchange(client,
           post("/v1/chat/completions",
                R"({"model":"gpt-x","stream":true,"messages":[{"role":"user","content":"Hi."}]})"),
           chat.size());
  exchange(client, post("/v1/responses", R"({"model":"gpt-x","input":"Is it?"})"), response.size());
  // It only names what it continues.
  exchange(client,
           post("/v1/responses",
                R"({"model":"gpt-x","previous_response_id":"resp_1","input":"And now?"})"),
           next.size());
  ASSERT_TRUE(is_woven(weft));
  EXPECT_EQ(
      outlines(weft),
      (Lines{"human: human_input(Hi.) | assistant: response(Hello.)",
             "human: human_input(Is it?) | assistant: response(Yes.) | human: human_input(And "
             "now?) | assistant: response(Still.)"}));
}

std::string gzipped(std::string_view text) {
  z_stream stream{};
  ::deflateInit2(&stream, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  std::string out(text.size() + 1000, '\0');
  stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  ::deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  ::deflateEnd(&stream);
  return out;
}

TEST(Record, EncodedBodiesPassAsTheyAreAndAreUnderstood) {
  std::string events;
  for (const std::string& one : message_events("msg_1", "I think", "Hello.")) events += one;
  const std::string answer = ok(gzipped(events), "text/event-stream", "Content-Encoding: gzip\r\n");
  const std::string body = messages(user("Hi."));
  std::string packed(::ZSTD_compressBound(body.size()), '\0');
  packed.resize(::ZSTD_compress(packed.data(), packed.size(), body.data(), body.size(), 3));
  Weft weft;
  MockApi api(says({answer}));
  Recording recording(weft, api.url());
  Peer client = recording.connect();
  EXPECT_EQ(
      exchange(client, post("/v1/messages", packed, "Content-Encoding: zstd\r\n"), answer.size()),
      answer);
  EXPECT_EQ(api.asked()[0].body, packed);
  ASSERT_TRUE(is_woven(weft));
  EXPECT_EQ(outlines(weft).at(0),
            "system: system_input(Be brief.) | human: human_input(Hi.) | assistant: thinking "
            "response(Hello.)");
}

TEST(Record, WhatBreaksOffIsKeptAsFarAsItCame) {
  std::string half = chunked_stream(message_events("msg_1", "I think", "Hello."));
  half.resize(half.find("event: message_delta") - 4);
  Weft weft;
  MockApi api([&](Peer& client, const Asked&) {
    client.write(half);
    return false;
  });
  Recording recording(weft, api.url());
  Peer client = recording.connect();
  client.write(post("/v1/messages", messages(user("Hi."))));
  EXPECT_EQ(client.read_all(), half);
  ASSERT_TRUE(is_woven(weft));
  EXPECT_EQ(outlines(weft).at(0),
            "system: system_input(Be brief.) | human: human_input(Hi.) | assistant: thinking "
            "response(Hello.) failure(the stream broke off)");
}

TEST(Record, AClientThatGoesAwayClosesTheUpstream) {
  const auto events = message_events("msg_1", "I think", "Hello.");
  const std::string begin = chunked_stream({events.begin(), events.begin() + 9});
  Weft weft;
  MockApi api([&](Peer& client, const Asked&) {
    client.write(std::string_view(begin).substr(0, begin.size() - 5));
    return client.read_some().empty() && false;  // until the other side closes
  });
  Recording recording(weft, api.url());
  {
    Peer client = recording.connect();
    client.write(post("/v1/messages", messages(user("Hi."))));
    client.read_exactly(begin.size() - 5);
  }
  EXPECT_TRUE(becomes_true([&] { return api.ended() == 1; }));
  ASSERT_TRUE(is_woven(weft));
  EXPECT_EQ(outlines(weft).at(0),
            "system: system_input(Be brief.) | human: human_input(Hi.) | assistant: thinking "
            "response(Hello.) failure(the stream broke off)");
}

TEST(Record, ErrorsAndPagesInPlaceOfAnAnswerAreKept) {
  const std::string page =
      "HTTP/1.1 502 Bad Gateway\r\nContent-Type: text/html\r\nContent-Length: "
      "13\r\n\r\n<html>no</htm";
  Weft weft;
  MockApi api(says({page, "SSH-2.0-garbage\r\n\r\nmore of it"}));
  Recording recording(weft, api.url());
  Peer client = recording.connect();
  exchange(client, post("/v1/messages", messages(user("Hi."))), page.size());
  EXPECT_EQ(exchange(client, post("/v1/messages", messages(user("Ho."))), 29),
            "SSH-2.0-garbage\r\n\r\nmore of it");
  client.close();
  ASSERT_TRUE(is_woven(weft));
  EXPECT_EQ(outlines(weft),
            (Lines{"system: system_input(Be brief.) | human: human_input(Hi.) | assistant: "
                   "failure(HTTP 502: <html>no</htm)",
                   "system: system_input(Be brief.) | human: human_input(Ho.) | assistant: "
                   "failure(no answer came)"}));
  EXPECT_NE(recording.errors().find("not understood"), std::string::npos);
}

TEST(Record, AnUpstreamThatIsNotThereIsA502) {
  Weft weft;
  const std::uint16_t nobody = [] {
    return MockApi([](Peer&, const Asked&) { return false; }).port();
  }();
  Recording recording(weft, "http://127.0.0.1:" + std::to_string(nobody));
  Peer client = recording.connect();
  client.write("GET /v1/models HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
  EXPECT_TRUE(client.read_all().starts_with("HTTP/1.1 502 Bad Gateway\r\n"));
  EXPECT_EQ(recording.stop(), 0);
}

TEST(Record, NoSecretAndNoThoughtLiesAnywhereInTheClear) {
  Weft weft;
  const auto events = message_events("msg_1", "UNSPOKENTHOUGHT", "Hello.");
  const std::string whole = chunked_stream(events);
  std::atomic<bool> may_end = false;
  MockApi api([&](Peer& client, const Asked&) {
    client.write(std::string_view(whole).substr(0, whole.size() - 5));
    becomes_true([&] { return may_end.load(); });
    client.write("0\r\n\r\n");
    return true;
  });
  Recording recording(weft, api.url());
  Peer client = recording.connect();
  client.write(post("/v1/messages?key=SECRETSECRET", messages(user("Hi."))));
  client.read_exactly(whole.size() - 5);
  const auto holds = [&](std::string_view word) {
    for (const auto& file : std::filesystem::recursive_directory_iterator(weft.home())) {
      if (!file.is_regular_file()) continue;
      const auto bytes = read_file(file.path(), 1u << 30).value();
      if (bytes.find(word) != std::string::npos) return file.path().string();
    }
    return std::string();
  };
  EXPECT_EQ(waiting_in_journal(weft), 1u);
  EXPECT_EQ(holds("SECRETSECRET"), "") << "while it passes";
  EXPECT_EQ(holds("UNSPOKEN"), "") << "while it passes";
  EXPECT_EQ(holds("Be brief"), "") << "the journal is sealed whole";
  may_end = true;
  client.read_exactly(5);
  ASSERT_TRUE(is_woven(weft));
  EXPECT_EQ(recording.stop(), 0);
  EXPECT_EQ(holds("SECRETSECRET"), "");
  EXPECT_EQ(holds("UNSPOKEN"), "");
  EXPECT_EQ(recording.errors().find("SECRET"), std::string::npos);
  EXPECT_EQ(weft({"search", "UNSPOKENTHOUGHT"}).exit, 0) << "with the key it is found";
}

TEST(Record, Security2AWebPageIsRefusedBeforeTheUpstreamAndTheJournal) {
  Weft weft;
  MockApi api([](Peer& client, const Asked&) {
    client.write(ok("{}"));
    return false;  // closes: a page that is let through does not make the test wait
  });
  Recording recording(weft, api.url());
  const std::string request = post("/v1/messages", messages(user("EVILPAGE")));
  const auto with = [&](const std::string& field) {
    return post("/v1/messages", messages(user("EVILPAGE")), field + "\r\n");
  };
  for (const std::string& asked :
       {replace_host(request, "evil.example:" + std::to_string(recording.port())),
        with("Origin: http://evil.example"), with("Origin: null"),
        with("Sec-Fetch-Site: cross-site"), with("Sec-Fetch-Site: same-site")}) {
    Peer page = recording.connect();
    page.write(asked);
    const std::string answer = page.read_all();
    EXPECT_TRUE(answer.starts_with("HTTP/1.1 403 Forbidden\r\n")) << asked << answer;
    EXPECT_NE(answer.find("--host"), std::string::npos) << answer;
  }
  EXPECT_EQ(api.asked().size(), 0u);
  EXPECT_EQ(waiting_in_journal(weft), 0u);
  EXPECT_EQ(outlines(weft), Lines{});
  EXPECT_EQ(recording.errors().find("evil.example"), std::string::npos) << "nothing is quoted";
}

TEST(Record, Security2APageOfAHostThatTheUserNamesIsRecorded) {
  const std::string answer = chunked_stream(message_events("msg_1", "I think", "Hello."));
  Weft weft;
  MockApi api(says({answer}));
  Recording recording(weft, api.url(), "--host localhost:3000");
  Peer page = recording.connect();
  const std::string request =
      post("/v1/messages", messages(user("Hi.")),
           "Origin: http://localhost:3000\r\nSec-Fetch-Site: same-site\r\n");
  EXPECT_EQ(exchange(page, request, answer.size()), answer);
  ASSERT_TRUE(is_woven(weft));
  EXPECT_EQ(outlines(weft).size(), 1u);
}

TEST(Record, Security2WhatTheUpstreamRefusesToAStrangerIsNotRecorded) {
  const std::string denied = "HTTP/1.1 401 Unauthorized\r\nContent-Length: 2\r\n\r\n{}";
  const std::string forbidden = "HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\n{}";
  Weft weft;
  MockApi api(says({denied, forbidden}));
  Recording recording(weft, api.url());
  Peer client = recording.connect();
  const std::string request = post("/v1/messages", messages(user("Hi.")));
  EXPECT_EQ(exchange(client, request, denied.size()), denied);
  EXPECT_EQ(exchange(client, request, forbidden.size()), forbidden);
  ASSERT_TRUE(is_woven(weft));
  EXPECT_EQ(outlines(weft), Lines{});
  EXPECT_NE(recording.errors().find("the upstream refused it with 401"), std::string::npos);
  EXPECT_NE(recording.errors().find("the upstream refused it with 403"), std::string::npos);
}

TEST(Record, OthersAreLetInOnlyIfThatIsSaid) {
  Weft weft;
  const Ran ran = weft({"record", "--upstream", "http://127.0.0.1:1", "--listen", "0.0.0.0:0"});
  EXPECT_EQ(ran.exit, 2) << ran;
  EXPECT_NE(ran.err.find("--allow-remote"), std::string::npos) << ran;
  EXPECT_EQ(weft({"record", "--upstream", "api.example"}).exit, 2);
  EXPECT_EQ(weft({"record"}).exit, 2);
}

}  // namespace
}  // namespace weft::test

#include "weft/mcp/protocol/message.hpp"

#include <gtest/gtest.h>

namespace weft::mcp {
namespace {

int code_of(std::string_view text) {
  const auto message = parse_message(text);
  return message ? 0 : message.error().error.code;
}

TEST(Message, IsARequestWithAnIdAndANotificationWithout) {
  const auto request = parse_message(R"({"jsonrpc":"2.0","id":7,"method":"a/b","params":{"x":1}})");
  ASSERT_TRUE(request);
  EXPECT_EQ(request->kind, Message::Kind::request);
  EXPECT_EQ(request->id, 7);
  EXPECT_EQ(request->method, "a/b");
  EXPECT_EQ(request->params.at("x"), 1);
  const auto notification = parse_message(R"({"jsonrpc":"2.0","method":"n"})");
  ASSERT_TRUE(notification);
  EXPECT_EQ(notification->kind, Message::Kind::notification);
  const auto response = parse_message(R"({"jsonrpc":"2.0","id":"s","result":{}})");
  ASSERT_TRUE(response);
  EXPECT_EQ(response->kind, Message::Kind::response);
}

TEST(Message, TellsWhatIsNoJsonFromWhatIsNoMessage) {
  EXPECT_EQ(code_of(R"({"jsonrpc":"2.0",)"), -32700);
  EXPECT_EQ(code_of("\"\xFF\""), -32700);
  EXPECT_EQ(code_of(R"([{"jsonrpc":"2.0","id":1,"method":"ping"}])"), -32600);
  EXPECT_EQ(code_of("42"), -32600);
  EXPECT_EQ(code_of(R"({"id":1,"method":"ping"})"), -32600);
  EXPECT_EQ(code_of(R"({"jsonrpc":"2.0","id":1})"), -32600);
  EXPECT_EQ(code_of(R"({"jsonrpc":"2.0","id":1,"method":5})"), -32600);
  EXPECT_EQ(code_of(R"({"jsonrpc":"2.0","id":null,"method":"x"})"), -32600);
  EXPECT_EQ(code_of(R"({"jsonrpc":"2.0","id":1.5,"method":"x"})"), -32600);
  EXPECT_EQ(code_of(R"({"jsonrpc":"2.0","id":1,"method":"x","params":[]})"), -32602);
}

TEST(Message, AnErrorNamesTheRequestWhereThatCouldBeRead) {
  const auto message = parse_message(R"({"jsonrpc":"1.0","id":"me","method":"x"})");
  ASSERT_FALSE(message);
  EXPECT_EQ(message.error().id, "me");
}

TEST(Message, MendsALoneSurrogateBecauseClientsWriteThem) {
  const auto message = parse_message(R"({"jsonrpc":"2.0","id":1,"method":"x\ud800"})");
  ASSERT_TRUE(message);
  EXPECT_EQ(message->method, "x\uFFFD");
}

TEST(Message, DeepNestingIsRefusedAndDoesNoHarm) {
  const std::string deep(100'000, '[');
  EXPECT_EQ(code_of(R"({"jsonrpc":"2.0","id":1,"method":"x","params":{"a":)" + deep), -32700);
}

TEST(Message, IsWrittenOnOneLineWhateverItSays) {
  const std::string text = to_response("id", {{"text", "two\nlines\r\x01"}});
  EXPECT_EQ(text.find('\n'), std::string::npos);
  EXPECT_EQ(to_error(nullptr, {-32601, "no"}),
            R"({"jsonrpc":"2.0","id":null,"error":{"code":-32601,"message":"no"}})");
}

TEST(Message, IsModernByItsOwnWord) {
  const auto modern = parse_message(
      R"({"jsonrpc":"2.0","id":1,"method":"x","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"1"}}})");
  ASSERT_TRUE(modern);
  EXPECT_TRUE(is_modern(*modern));
  const auto legacy = parse_message(
      R"({"jsonrpc":"2.0","id":1,"method":"x","params":{"_meta":{"progressToken":1}}})");
  ASSERT_TRUE(legacy);
  EXPECT_FALSE(is_modern(*legacy));
}

}  // namespace
}  // namespace weft::mcp

#include "weft/mcp/transports/http_mirror.hpp"

#include <gtest/gtest.h>

namespace weft::mcp {
namespace {

const std::string kVersion(kModernVersion);

Message modern(std::string method, json::object params = {}) {
  params["_meta"] =
      json::object{{kMetaVersion, kModernVersion}, {kMetaCapabilities, json::object{}}};
  return {.id = 1, .method = std::move(method), .params = std::move(params)};
}

net::RequestHead head(std::vector<std::pair<std::string, std::string>> fields) {
  return {.method = "POST", .target = "/mcp", .fields = std::move(fields)};
}

int code_of(const net::RequestHead& said, const Message& message) {
  const std::optional<RpcError> error = check_mirrored(said, message, {});
  return error ? error->code : 0;
}

TEST(Mirrored, HeadersThatSayWhatTheMessageSaysAreFine) {
  EXPECT_EQ(code_of(head({{"mcp-protocol-version", kVersion}, {"mcp-method", "tools/list"}}),
                    modern("tools/list")),
            0);
  EXPECT_EQ(code_of(head({{"mcp-protocol-version", kVersion},
                          {"mcp-method", "tools/call"},
                          {"mcp-name", "weave"}}),
                    modern("tools/call", {{"name", "weave"}})),
            0);
  EXPECT_EQ(code_of(head({{"mcp-protocol-version", kVersion},
                          {"mcp-method", "resources/read"},
                          {"mcp-name", "weft://thought/1"}}),
                    modern("resources/read", {{"uri", "weft://thought/1"}, {"name", "x"}})),
            0);
}

TEST(Mirrored, AMissingOrOtherVersionIsAMismatch) {
  EXPECT_EQ(code_of(head({{"mcp-method", "tools/list"}}), modern("tools/list")), -32020);
  EXPECT_EQ(code_of(head({{"mcp-protocol-version", "2025-11-25"}, {"mcp-method", "tools/list"}}),
                    modern("tools/list")),
            -32020);
  EXPECT_EQ(code_of(head({{"mcp-protocol-version", kVersion},
                          {"mcp-protocol-version", kVersion},
                          {"mcp-method", "tools/list"}}),
                    modern("tools/list")),
            -32020);
}

TEST(Mirrored, TheMethodIsThereAndTheSameToTheLetter) {
  for (const char* method : {"prompts/list", "TOOLS/LIST", "", "tools/list,tools/list"}) {
    EXPECT_EQ(code_of(head({{"mcp-protocol-version", kVersion}, {"mcp-method", method}}),
                      modern("tools/list")),
              -32020)
        << method;
  }
  EXPECT_EQ(code_of(head({{"mcp-protocol-version", kVersion}}), modern("tools/list")), -32020);
}

int code_of_name(const std::string& said, std::string_view name) {
  return code_of(
      head({{"mcp-protocol-version", kVersion}, {"mcp-method", "tools/call"}, {"mcp-name", said}}),
      modern("tools/call", {{"name", name}}));
}

TEST(Mirrored, TheNameIsReadInItsTwoForms) {
  EXPECT_EQ(code_of_name("=?base64?bmHDr3Zl?=", "na\xc3\xafve"), 0);
  EXPECT_EQ(code_of_name("=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?=", "=?base64?literal?="), 0);
  EXPECT_EQ(code_of_name("=?base64?"
                         "?=",
                         ""),
            0);
  EXPECT_EQ(code_of_name("=?BASE64?eA==?=", "x"), -32020);
  EXPECT_EQ(code_of_name("=?base64?%%%?=", "x"), -32020);
  EXPECT_EQ(code_of_name("=?base64?literal?=", "=?base64?literal?="), -32020);
  EXPECT_EQ(code_of_name("=?base64?=", "x"), -32020);
  EXPECT_EQ(code_of_name("na\xc3\xafve", "na\xc3\xafve"), -32020);  // not as it may be sent
  EXPECT_EQ(code_of_name("y", "x"), -32020);
  EXPECT_EQ(code_of(head({{"mcp-protocol-version", kVersion}, {"mcp-method", "tools/call"}}),
                    modern("tools/call", {{"name", "x"}})),
            -32020);
}

int code_of_region(const std::optional<std::string>& said, json::object arguments) {
  const std::vector<HeaderParameter> parameters = {{"Mcp-Param-Region", "region"}};
  net::RequestHead with =
      head({{"mcp-protocol-version", kVersion}, {"mcp-method", "tools/call"}, {"mcp-name", "x"}});
  if (said) with.fields.emplace_back("mcp-param-region", *said);
  const std::optional<RpcError> error = check_mirrored(
      with, modern("tools/call", {{"name", "x"}, {"arguments", std::move(arguments)}}), parameters);
  return error ? error->code : 0;
}

TEST(Mirrored, AnArgumentThatIsRepeatedInAHeaderIsTheSameThere) {
  EXPECT_EQ(code_of_region("north", {{"region", "north"}}), 0);
  EXPECT_EQ(code_of_region("=?base64?bm9ydGg=?=", {{"region", "north"}}), 0);
  EXPECT_EQ(code_of_region("bm9ydGg=", {{"region", "bm9ydGg="}}), 0);
  EXPECT_EQ(code_of_region("=?base64?bm9ydGg", {{"region", "=?base64?bm9ydGg"}}), 0);
  EXPECT_EQ(code_of_region("=?base64?bm9ydGg?=", {{"region", "north"}}), -32020);
  EXPECT_EQ(code_of_region("=?base64?bm9!!dGg=?=", {{"region", "north"}}), -32020);
  EXPECT_EQ(code_of_region("south", {{"region", "north"}}), -32020);
  EXPECT_EQ(code_of_region({}, {{"region", "north"}}), -32020);
}

TEST(Mirrored, AnArgumentThatIsNotThereHasNoHeader) {
  EXPECT_EQ(code_of_region({}, {}), 0);
  EXPECT_EQ(code_of_region({}, {{"region", nullptr}}), 0);
  EXPECT_EQ(code_of_region("north", {}), -32020);
}

TEST(Mirrored, NumbersAndTruthAreReadInHeaders) {
  EXPECT_EQ(code_of_region("42", {{"region", 42}}), 0);
  EXPECT_EQ(code_of_region("42.0", {{"region", 42}}), 0);
  EXPECT_EQ(code_of_region("43", {{"region", 42}}), -32020);
  EXPECT_EQ(code_of_region("\"42\"", {{"region", 42}}), -32020);
  EXPECT_EQ(code_of_region("true", {{"region", true}}), 0);
  EXPECT_EQ(code_of_region("True", {{"region", true}}), -32020);
}

TEST(Mirrored, AMessageWithoutANameIsLeftToTheCore) {
  EXPECT_EQ(code_of(head({{"mcp-protocol-version", kVersion}, {"mcp-method", "tools/call"}}),
                    modern("tools/call")),
            0);
}

TEST(Mirrored, AnUnknownVersionIsLeftToTheCore) {
  Message message = modern("tools/list");
  message.params["_meta"].as_object()[kMetaVersion] = "1900-01-01";
  EXPECT_EQ(code_of(head({{"mcp-protocol-version", "1900-01-01"}}), message), 0);
}

TEST(Mirrored, AModernHeaderWantsAModernMessage) {
  EXPECT_EQ(code_of(head({{"mcp-protocol-version", kVersion}, {"mcp-method", "tools/list"}}),
                    {.id = 1, .method = "tools/list"}),
            -32602);
}

TEST(Mirrored, OfTheLegacyEraOnlyTheVersionIsLookedAt) {
  const Message ping{.id = 1, .method = "ping"};
  EXPECT_EQ(code_of(head({}), ping), 0);
  EXPECT_EQ(code_of(head({{"mcp-method", "other"}}), ping), 0);
  for (const std::string_view version : kLegacyVersions) {
    EXPECT_EQ(code_of(head({{"mcp-protocol-version", std::string(version)}}), ping), 0) << version;
  }
  const std::optional<RpcError> error =
      check_mirrored(head({{"mcp-protocol-version", "1999-01-01"}}), ping, {});
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code, -32022);
  EXPECT_EQ(find_string(error->data->as_object(), "requested"), "1999-01-01");
  EXPECT_EQ(find_array(error->data->as_object(), "supported")->size(), 5u);
}

TEST(Mirrored, ANotificationOfEitherEraIsTaken) {
  const Message note{.kind = Message::Kind::notification, .method = "notifications/cancelled"};
  EXPECT_EQ(code_of(head({{"mcp-protocol-version", kVersion}}), note), 0);
  EXPECT_EQ(code_of(head({{"mcp-protocol-version", "2025-11-25"}}), note), 0);
  EXPECT_EQ(code_of(head({{"mcp-protocol-version", "1999-01-01"}}), note), -32022);
}

}  // namespace
}  // namespace weft::mcp

#include "weft/cli/serve/mcp_clients.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "weft/base/json.hpp"

namespace weft::cli {
namespace {

const ServerCommand kCommand = {"/usr/bin/weft", "mcp", "--pattern", "a \"b\""};

json::object parsed(const std::string& text) { return parse_json(text)->value.as_object(); }

TEST(McpClients, AreInOrderAndFound) {
  EXPECT_TRUE(std::ranges::is_sorted(mcp_clients(), {}, &McpClient::name));
  ASSERT_NE(find_mcp_client("claude"), nullptr);
  EXPECT_EQ(find_mcp_client("claude")->path, ".claude.json");
  EXPECT_EQ(find_mcp_client("nobody"), nullptr);
}

TEST(McpClients, JsonKeepsAllElseAndItsOrder) {
  const Result<std::string> text =
      with_weft(ConfigShape::servers,
                R"({"theme":"dark","mcpServers":{"other":{"command":"x"}},"n":1.50})", kCommand);
  ASSERT_TRUE(text);
  const json::object document = parsed(*text);
  EXPECT_EQ(document.at("mcpServers").at("other").at("command"), "x");
  EXPECT_EQ(document.at("mcpServers").at("weft").at("command"), "/usr/bin/weft");
  EXPECT_EQ(document.at("mcpServers").at("weft").at("args"),
            (json::array{"mcp", "--pattern", "a \"b\""}));
  EXPECT_LT(text->find("theme"), text->find("mcpServers"));
}

TEST(McpClients, TwiceIsAsOnce) {
  for (const ConfigShape shape :
       {ConfigShape::servers, ConfigShape::opencode, ConfigShape::codex}) {
    const Result<std::string> once = with_weft(shape, "", kCommand);
    ASSERT_TRUE(once);
    EXPECT_EQ(*once, shown_config(shape, kCommand));
    const Result<std::string> twice = with_weft(shape, *once, kCommand);
    ASSERT_TRUE(twice);
    EXPECT_EQ(twice->substr(0, once->size()), *once);
    EXPECT_EQ(twice->find_first_not_of('\n', once->size()), std::string::npos);
  }
}

TEST(McpClients, OpenCodeHasAListOfWords) {
  const json::object document = parsed(*with_weft(ConfigShape::opencode, "{}", kCommand));
  EXPECT_EQ(document.at("mcp").at("weft").at("command").as_array().size(), 4u);
  EXPECT_EQ(document.at("mcp").at("weft").at("type"), "local");
}

TEST(McpClients, TomlKeepsOtherSectionsAndPutsOursAnew) {
  const std::string before =
      "model = \"o\"\n[mcp_servers.weft]\ncommand = \"old\"\nargs = []\n\n[other]\nx = 1\n";
  const Result<std::string> text = with_weft(ConfigShape::codex, before, kCommand);
  ASSERT_TRUE(text);
  EXPECT_EQ(*text,
            "model = \"o\"\n[mcp_servers.weft]\ncommand = \"/usr/bin/weft\"\n"
            "args = [\"mcp\", \"--pattern\", \"a \\\"b\\\"\"]\n\n[other]\nx = 1\n");
  EXPECT_EQ(with_weft(ConfigShape::codex, "a = 1", {"w", "mcp"}).value(),
            "a = 1\n\n[mcp_servers.weft]\ncommand = \"w\"\nargs = [\"mcp\"]\n");
}

TEST(McpClients, LeavesAloneWhatItCannotWriteBack) {
  for (const char* text : {"{\"a\": 1, // comment\n}", "[]", "{\"a\": 1, \"a\": 2}",
                           "{\"mcpServers\": []}", "{\"n\": 1e999}"}) {
    const Result<std::string> made = with_weft(ConfigShape::servers, text, kCommand);
    ASSERT_FALSE(made) << text;
    EXPECT_EQ(made.error().code, ErrorCode::invalid_input);
  }
}

TEST(McpClients, AddingWeftAgainChangesNothing) {
  const ServerCommand command = {"/usr/bin/weft", "mcp"};
  for (const char* text :
       {"", "model = \"o\"\n", "[mcp_servers.weft]\ncommand = \"old\"\n\n[other]\na = 1\n", "{}"}) {
    for (const ConfigShape shape :
         {ConfigShape::servers, ConfigShape::opencode, ConfigShape::codex}) {
      const Result<std::string> once = with_weft(shape, text, command);
      if (!once) continue;  // TOML is no JSON
      EXPECT_EQ(with_weft(shape, *once, command).value(), *once);
    }
  }
}

}  // namespace
}  // namespace weft::cli

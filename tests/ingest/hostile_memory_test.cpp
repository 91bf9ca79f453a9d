// Inputs that would take gigabytes to read, many of them small on disk: each is read, or refused
// with a reason, in less than 300 MB.
#include <gmock/gmock.h>
#include <sqlite3.h>

#include <fstream>

#include "peak_memory_for_test.hpp"

namespace weft::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr long kPromisedKb = 300 * 1'000;

void expect_bounded(const Weft& weft, const std::vector<std::string>& arguments) {
  const PeakMemory peak = peak_memory(weft, arguments);
  EXPECT_GE(peak.exit, 0);
  if (!weft_is_sanitized()) EXPECT_LT(peak.kb, kPromisedKb);
}

// A database of Cursor's shape with two conversations, whose `value` is generated from nothing.
std::string database(const Weft& weft, const std::string& value) {
  std::string path = weft.path("state.vscdb");
  sqlite3* handle = nullptr;
  EXPECT_EQ(sqlite3_open(path.c_str(), &handle), SQLITE_OK);
  const std::string sql =
      "CREATE TABLE ItemTable(key TEXT UNIQUE, value BLOB);"
      "CREATE TABLE cursorDiskKV(k INTEGER PRIMARY KEY, key TEXT AS ('composerData:' || k),"
      " value TEXT AS (" +
      value + "));INSERT INTO cursorDiskKV(k) VALUES (1), (2);";
  EXPECT_EQ(sqlite3_exec(handle, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK)
      << sqlite3_errmsg(handle);
  sqlite3_close(handle);
  return path;
}

TEST(HostileMemory, Security8AValueThatADatabaseMakesFromNothing) {
  Weft weft;
  const std::string path = database(weft, "replace(hex(zeroblob(150000000)), '0', 'x')");
  expect_bounded(weft, {"ingest", path});
  EXPECT_THAT(weft({"ingest", path}).out, HasSubstr("state.vscdb"));
}

TEST(HostileMemory, Security8AJsonDocumentOfManySmallValuesInADatabase) {
  Weft weft;
  expect_bounded(weft, {"ingest", database(weft,
                                           "'{\"fullConversationHeadersOnly\":[' || "
                                           "replace(hex(zeroblob(14000000)), '0', '1,') "
                                           "|| '1]}'")});
}

TEST(HostileMemory, Security8AJsonDocumentOfOneLongStringInADatabase) {
  Weft weft;
  expect_bounded(weft, {"ingest", database(weft,
                                           "'{\"fullConversationHeadersOnly\":[{\"bubbleId\":\"' "
                                           "|| replace(hex(zeroblob(15000000)), '0', 'x') || "
                                           "'\"}]}'")});
}

// A line of a Claude Code session whose message has this content.
std::string session_with(const Weft& weft, std::string_view role, const std::string& content) {
  std::string path = weft.path("session.jsonl");
  std::ofstream(path, std::ios::binary)
      << R"({"type":")" << role << R"(","uuid":"11111111-1111-4111-8111-111111111111",)"
      << R"("parentUuid":null,"sessionId":"22222222-2222-4222-8222-222222222222",)"
      << R"("timestamp":"2026-11-01T10:00:00.000Z","cwd":"/p","version":"2.0.0",)"
      << R"("message":{"role":")" << role << R"(","content":)" << content << "}}\n";
  return path;
}

std::string long_text(std::size_t bytes) {
  std::string text;
  while (text.size() < bytes) text += "word ";
  return text;
}
constexpr std::size_t kLongest = 66'000'000;  // almost as long as a line that is woven may be
constexpr std::size_t kSealed = 50'000'000;   // reasoning stands in one more copy

TEST(HostileMemory, Security8ALineOfOneLongText) {
  Weft weft;
  expect_bounded(weft, {"ingest", session_with(weft, "user", '"' + long_text(kLongest) + '"')});
  EXPECT_EQ(weft.json({"stats"}).at("by_type").as_object().at("anthropic/human_input"), 1);
}

TEST(HostileMemory, Security8ALineOfOneLongPieceOfReasoning) {
  Weft weft;
  const std::string block = R"([{"type":"thinking","signature":"c2ln","thinking":")";
  expect_bounded(weft,
                 {"ingest", session_with(weft, "assistant", block + long_text(kSealed) + "\"}]")});
  EXPECT_EQ(weft.json({"stats"}).at("by_type").as_object().at("anthropic/thinking"), 1);
}

TEST(HostileMemory, Security8ALineOfManyCalls) {
  Weft weft;
  std::string calls = "[1";
  for (int i = 0; calls.size() < 40'000'000; ++i) {
    calls += R"(,{"type":"tool_use","id":"t)" + std::to_string(i) +
             R"(","name":"Bash","input":{"command":")" + std::string(400, 'x') + "\"}}";
  }
  expect_bounded(weft, {"ingest", session_with(weft, "assistant", calls + "]")});
  EXPECT_EQ(weft.json({"stats"}).at("by_type").as_object().at("anthropic/tool_request"), 19'999)
      << "the rest is skipped";
}

TEST(HostileMemory, Security8AFileOf700MegabytesThatStandsForAConversation) {
  Weft weft;
  const fs::path folder = weft.scratch() / "storage/session/p1";
  fs::create_directories(folder);
  const fs::path path = folder / "ses_abc.json";
  std::ofstream(path) << R"({"id":"ses_abc","version":"1.0.0","projectID":"p1","directory":"/p",)"
                         R"("title":"t","time":{"created":1,"updated":2}})"
                      << "\n";
  fs::resize_file(path, 700u << 20);  // sparse: the rest is zeros that take no room
  expect_bounded(weft, {"ingest", "--format", "opencode", path.string()});
  const Ran ran = weft({"ingest", "--format", "opencode", path.string()});
  EXPECT_THAT(ran.out + ran.err, HasSubstr("too large"));
}

}  // namespace
}  // namespace weft::test

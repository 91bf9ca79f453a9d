// A home with a small web in it, made in process, for tests that break things.
#pragma once

#include <gtest/gtest.h>
#include <sqlite3.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "weft/crypto/keyring.hpp"
#include "weft/ingest/ingest.hpp"
#include "weft/query/questions.hpp"
#include "weft/query/verify/verify.hpp"
#include "weft/store/open.hpp"
#include "weft/store/sqlite/edges/edge_table.hpp"

namespace weft {

class TempDir {
 public:
  TempDir() {
    std::string name = std::filesystem::temp_directory_path() / "weft-test-XXXXXX";
    path_ = ::mkdtemp(name.data());
  }
  ~TempDir() { std::filesystem::remove_all(path_); }
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;
  std::filesystem::path operator/(std::string_view name) const { return path_ / name; }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

inline void write_text(const std::filesystem::path& path, std::string_view text) {
  std::ofstream(path, std::ios::binary) << text;
}

inline std::string read_text(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// Two rounds with thinking and its summary, a tool, and a citation.
inline constexpr std::string_view kTalk = R"(Title: Counting files
Model: claude-opus-4-5

Human:
Content:
[{"type":"text","text":"How many files are there?","start_timestamp":"2026-02-01T14:42:10.000Z","stop_timestamp":"2026-02-01T14:42:10.000Z"}]

================================================================================
Assistant:
Content:
[{"start_timestamp":"2026-02-01T14:42:13.415318Z","stop_timestamp":"2026-02-01T14:42:14.499063Z","type":"thinking","thinking":"The zanzibar listing should tell me how many there are.","summaries":[{"summary":"Considering a listing."}],"cut_off":false},
{"start_timestamp":"2026-02-01T14:42:14.720Z","stop_timestamp":"2026-02-01T14:42:15.100Z","type":"tool_use","id":"toolu_1","name":"bash","input":{"command":"ls | wc -l","description":"Count"}},
{"type":"tool_result","tool_use_id":"toolu_1","name":"bash","content":[{"type":"text","text":"42","uuid":"8ee2fb15-714b-4aef-ac9b-ff7761f7ca84"}],"is_error":false},
{"start_timestamp":"2026-02-01T14:42:16Z","stop_timestamp":"2026-02-01T14:42:18Z","type":"text","text":"There are 42 files.","citations":[{"url":"https://example.org/ls","title":"ls","indices":[10,12]}]}]

================================================================================
Human:
Content:
[{"type":"text","text":"And folders?","start_timestamp":"2026-02-01T14:43:00Z","stop_timestamp":"2026-02-01T14:43:00Z"}]

================================================================================
Assistant:
Content:
[{"start_timestamp":"2026-02-01T14:43:02Z","stop_timestamp":"2026-02-01T14:43:03Z","type":"thinking","thinking":"Folders are quokka business.","summaries":[],"cut_off":false},
{"start_timestamp":"2026-02-01T14:43:03Z","stop_timestamp":"2026-02-01T14:43:04Z","type":"text","text":"None at all."}]

================================================================================
)";

class Web {
 public:
  explicit Web(std::string_view talk = kTalk, const crypto::Keyring* with = nullptr)
      : keyring(with != nullptr
                    ? *with
                    : *crypto::Keyring::create("Ada", 1'000, crypto::SealMode::thinking)) {
    write_text(dir / "talk.txt", talk);
    ingest(dir / "talk.txt");
  }

  std::string store_path() const { return dir / "weft.db"; }
  std::unique_ptr<store::Store> open() const {
    auto store = store::open_store(store_path(), store::Create::yes);
    EXPECT_TRUE(store) << store.error().message;
    return *std::move(store);
  }
  ingest::Report ingest(const std::filesystem::path& path) {
    const auto store = open();
    ingest::Options options{.paths = {path}};
    options.clock = [] { return Millis{1'770'000'000'000}; };
    auto report = ingest::ingest(*store, keyring, options);
    EXPECT_TRUE(report) << report.error().message;
    return *std::move(report);
  }
  json::object verify(const crypto::Keyring* with, query::VerifyOptions options = {}) const {
    const auto store = open();
    auto answer = query::verify(*store, with, options);
    EXPECT_TRUE(answer) << answer.error().message;
    return answer ? *std::move(answer) : json::object();
  }
  json::object verify() const { return verify(&keyring); }

  TempDir dir;
  crypto::Keyring keyring;
};

// Hands on the database itself, as an attacker with write access has them.
class Tool {
 public:
  explicit Tool(const std::string& path) {
    EXPECT_EQ(sqlite3_open(path.c_str(), &db_), SQLITE_OK);
    EXPECT_TRUE(store::sql::install_edges(db_));
  }
  ~Tool() { sqlite3_close(db_); }
  Tool(const Tool&) = delete;
  Tool& operator=(const Tool&) = delete;

  void run(const std::string& sql) const {
    EXPECT_EQ(sqlite3_exec(db_, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK)
        << sql << ": " << sqlite3_errmsg(db_);
  }
  std::vector<std::vector<std::string>> rows(const std::string& sql) const {
    std::vector<std::vector<std::string>> out;
    sqlite3_stmt* statement = nullptr;
    EXPECT_EQ(sqlite3_prepare_v2(db_, sql.c_str(), -1, &statement, nullptr), SQLITE_OK)
        << sqlite3_errmsg(db_);
    while (sqlite3_step(statement) == SQLITE_ROW) {
      std::vector<std::string>& row = out.emplace_back();
      for (int i = 0; i < sqlite3_column_count(statement); ++i) {
        const auto* text = reinterpret_cast<const char*>(sqlite3_column_blob(statement, i));
        row.emplace_back(
            text == nullptr
                ? ""
                : std::string(text, static_cast<std::size_t>(sqlite3_column_bytes(statement, i))));
      }
    }
    sqlite3_finalize(statement);
    return out;
  }

 private:
  sqlite3* db_ = nullptr;
};

}  // namespace weft

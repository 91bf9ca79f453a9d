// Stores of every version that weft ever wrote (tests/stores): they are read once they are
// migrated, say what they said, and survive a kill in the midst of it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zstd.h>

#include <fstream>

#include "kill_moments_for_test.hpp"
#include "program.hpp"
#include "weft/sqlite/database.hpp"
#include "weft/store/sqlite/schema.hpp"

namespace weft::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr std::int64_t kOldestRead = store::sql::kOldestReadVersion;

std::int64_t newest_version() { return static_cast<std::int64_t>(store::sql::migrations().size()); }

fs::path fixtures() { return fs::path(WEFT_SOURCE_DIR) / "tests/stores"; }

std::string bytes_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// The store of that version, and its keyring, in the home of `weft`.
void put_store(const Weft& weft, std::int64_t version) {
  const std::string packed =
      bytes_of(fixtures() / ("version-" + std::to_string(version) + ".db.zst"));
  std::string store(ZSTD_getFrameContentSize(packed.data(), packed.size()), '\0');
  ASSERT_EQ(ZSTD_decompress(store.data(), store.size(), packed.data(), packed.size()),
            store.size());
  fs::create_directories(weft.home());
  for (const char* suffix : {"-wal", "-shm"})
    fs::remove(weft.home() / ("weft.db" + std::string(suffix)));
  std::ofstream(weft.home() / "weft.db", std::ios::binary) << store;
  fs::copy_file(fixtures() / "keyring.json", weft.home() / "keyring.json",
                fs::copy_options::overwrite_existing);
  for (const char* name : {"weft.db", "keyring.json"}) {
    fs::permissions(weft.home() / name, fs::perms(0600));
  }
}

std::int64_t version_of(const Weft& weft) {
  const auto version = store::sql::read_version((weft.home() / "weft.db").string());
  EXPECT_TRUE(version) << version.error().message;
  return version.value_or(-1);
}

// Everything that can be asked of the conversations that the fixtures have in common.
std::string answers(const Weft& weft) {
  std::string all;
  for (const json::value& row : list(weft.json({"list"}), "conversations")) {
    const std::string cid = text(row.as_object(), "cid");
    all += canonical_json(row) + "\n" + weft({"walk", cid, "--json"}).out +
           weft({"export", cid, "--as", "thoughts"}).out;
  }
  // It also reads model requests, in a commit that has the time of today.
  const Ran indexed = weft({"reindex"});
  EXPECT_EQ(indexed.exit, 0) << indexed;
  for (const char* words : {"heron", "tulips", "warm"}) {
    const json::object found = weft.json({"search", words});
    EXPECT_FALSE(list(found, "results").empty()) << words;
    all += canonical_json(found.at("results")) + "\n";
  }
  return all;
}

std::string text_of_notes(const json::object& answer) {
  std::string all;
  for (const json::value& note : list(answer, "notes")) all += std::string(note.as_string()) + "\n";
  return all;
}

void expect_valid(const Weft& weft) {
  const json::object verified = weft.json({"verify"});
  EXPECT_EQ(text(verified, "verdict"), "valid") << pretty_json(verified);
}

class OldVersion : public testing::TestWithParam<std::int64_t> {
 protected:
  OldVersion() { put_store(weft, GetParam()); }
  Weft weft;
};

TEST_P(OldVersion, IsReadOnlyOnceItIsMigrated) {
  const std::string before = bytes_of(weft.home() / "weft.db");
  const bool is_read = GetParam() >= kOldestRead;
  for (const std::vector<std::string>& question : std::vector<std::vector<std::string>>{
           {"list"}, {"search", "heron"}, {"verify"}, {"stats"}}) {
    const Ran ran = weft(question);
    EXPECT_EQ(ran.exit, is_read ? 0 : 3) << question.front() << ran;
    if (!is_read) EXPECT_THAT(ran.err, HasSubstr("weft migrate"));
  }
  EXPECT_EQ(bytes_of(weft.home() / "weft.db"), before);
}

// The files are gone; what was kept of them has the requests.
TEST(RequestsOfAnOldStore, ModelRequestsAreReadFromTheArchive) {
  const Weft weft;
  put_store(weft, kOldestRead);
  const json::object before = weft.json({"cost"});
  EXPECT_TRUE(before.at("total").at("cost").is_null());  // not known, which is not 0
  EXPECT_EQ(number(before.at("total").as_object(), "unknown_sessions"), 1);
  EXPECT_THAT(text_of_notes(before), HasSubstr("weft reindex"));
  EXPECT_EQ(number(weft.json({"reindex"}), "reread"), 2);
  const json::object after = weft.json({"cost", "--by", "model"});
  EXPECT_EQ(number(after.at("total").as_object(), "requests"), 4);
  EXPECT_EQ(number(after.at("total").as_object(), "output"), 70);
  EXPECT_EQ(number(weft.json({"reindex"}), "reread"), 0);
  expect_valid(weft);
}

TEST_P(OldVersion, IsMigratedAndAnswersAsTheOneThatWasNever) {
  const Ran migrated = weft({"migrate"});
  EXPECT_EQ(migrated.exit, 0) << migrated;
  EXPECT_EQ(version_of(weft), newest_version());
  expect_valid(weft);
  const Weft reference;
  put_store(reference, kOldestRead);
  EXPECT_EQ(answers(weft), answers(reference));
  // Nothing is woven again under another name.
  const std::string talk =
      (fs::path(WEFT_SOURCE_DIR) / "tests/fixtures/anthropic_transcript/two-rounds.txt").string();
  EXPECT_EQ(number(weft.json({"ingest", talk}), "new_thoughts"), 0);
  expect_valid(weft);
}

TEST_P(OldVersion, KilledWhileItIsMigratedIsTheOldOneOrTheNewOne) {
  KillMoments moments([&] { ASSERT_EQ(weft({"migrate"}).exit, 0); });
  const std::string expected = answers(weft);
  // Together the versions are struck as often as any other kind of work.
  const auto versions = static_cast<int>(newest_version());
  for (int i = 0; i < (KillMoments::count() + versions - 1) / versions; ++i) {
    put_store(weft, GetParam());
    SCOPED_TRACE(moments.trace());
    StdioClient run(WEFT_BINARY, {"migrate"}, weft.environment);
    moments.strike(run);
    EXPECT_THAT(version_of(weft), testing::AnyOf(GetParam(), newest_version()));
    ASSERT_EQ(weft({"migrate"}).exit, 0);
    EXPECT_EQ(version_of(weft), newest_version());
    expect_valid(weft);
    EXPECT_EQ(answers(weft), expected);
  }
}

std::vector<std::int64_t> old_versions() {
  std::vector<std::int64_t> versions;
  for (std::int64_t version = 1; version <= kOldestRead; ++version) versions.push_back(version);
  versions.push_back(16);  // the last one with FTS5
  return versions;
}
INSTANTIATE_TEST_SUITE_P(Every, OldVersion, testing::ValuesIn(old_versions()),
                         [](const auto& version) { return std::to_string(version.param); });

}  // namespace
}  // namespace weft::test

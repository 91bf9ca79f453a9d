// The archive leans on thoughts: its pieces are small, and what comes back is what was there, byte
// for byte, or an error.
#include "weft/ingest/source/archive_dictionary.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <random>

#include "weft/ingest/forget.hpp"
#include "weft/ingest/ingest.hpp"
#include "weft/ingest/source/source_seal.hpp"
#include "weft/ingest/sources.hpp"
#include "weft/sqlite/database.hpp"
#include "weft/store/open.hpp"
#include "weft/store/scratch_for_test.hpp"

namespace weft::ingest {
namespace {

namespace fs = std::filesystem;

// Words that do not pack, `seed` by `seed` others.
std::string noise(unsigned seed, std::size_t size) {
  std::mt19937 random(seed);
  std::string text;
  while (text.size() < size) text += static_cast<char>('a' + random() % 26);
  return text;
}

// Records of a Claude Code session, from number `from` on: a prompt, reasoning, an answer, each
// of `size` letters.
std::string records(const std::string& session, int from, int to, std::size_t size = 900) {
  std::string text;
  for (int i = from; i < to; ++i) {
    const auto seed = static_cast<unsigned>(i) * 3;
    const std::string n = std::to_string(i);
    const std::string tail = R"(,"sessionId":")" + session +
                             R"(","timestamp":"2026-02-01T10:00:00.)" + std::to_string(100 + i) +
                             "Z\"}\n";
    const std::string message = R"("message":{"id":"m)" + n + R"(","role":"assistant","content":)";
    text += R"({"type":"user","uuid":"u)" + n + R"(","message":{"role":"user","content":")" +
            noise(seed, size) + "\"}" + tail;
    text += R"({"type":"assistant","uuid":"t)" + n + "\"," + message +
            R"([{"type":"thinking","thinking":")" + noise(seed + 1, size) +
            R"(","signature":"c2ln"}]})" + tail;
    text += R"({"type":"assistant","uuid":"a)" + n + "\"," + message +
            R"([{"type":"text","text":")" + noise(seed + 2, size) + "\"}]}" + tail;
  }
  return text;
}

class Archive : public testing::Test {
 protected:
  void SetUp() override { open(); }
  void open() {
    store_.reset();
    store_ = *store::open_store(scratch_.path() / "weft.db", store::Create::yes);
  }
  fs::path write(const std::string& name, const std::string& text) {
    std::ofstream(scratch_.path() / name, std::ios::binary) << text;
    return scratch_.path() / name;
  }
  void take(const fs::path& file, std::size_t commit_bytes = 8u << 20) {
    const auto clock = [] { return Millis{1'770'000'000'000}; };
    const auto report =
        ingest(*store_, keyring_, {.paths = {file}, .clock = clock, .commit_bytes = commit_bytes});
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_EQ(report->files, 1u);
  }
  Result<std::string> restored(const fs::path& file) const {
    const Result<Archived> archived = find_archived(*store_, keyring_, file.string());
    if (!archived) return fail(archived.error());
    std::string bytes;
    const Status status =
        restore(*store_, keyring_, *archived, Version::newest, [&](std::string_view piece) {
          bytes += piece;
          return Status();
        });
    if (!status) return fail(status.error());
    return bytes;
  }
  std::vector<store::Segment> pieces(const fs::path& file) const {
    std::vector<store::Segment> pieces;
    const Archived archived = *find_archived(*store_, keyring_, file.string());
    EXPECT_TRUE(store_->sources().each_segment(archived.source.key, archived.source.generation,
                                               [&](store::Segment piece) {
                                                 pieces.push_back(std::move(piece));
                                                 return true;
                                               }));
    return pieces;
  }
  void run(const char* sql) {
    store_.reset();
    const Status status =
        sqlite::open_database(scratch_.path() / "weft.db", sqlite::Mode::read_write)->script(sql);
    ASSERT_TRUE(status) << status.error().message;
    open();
  }

  store::Scratch scratch_;
  crypto::Keyring keyring_ = *crypto::Keyring::create("Ada", 1'000, crypto::SealMode::thinking);
  std::unique_ptr<store::Store> store_;
};

TEST_F(Archive, KeepsOnlyWhatNoThoughtSaysSealedReasoningIncluded) {
  const std::string text = records("s", 0, 40);
  const fs::path file = write("s.jsonl", text);
  take(file);
  std::size_t sealed = 0;
  for (const store::Segment& piece : pieces(file)) sealed += piece.sealed.size();
  EXPECT_LT(sealed, text.size() / 10) << "of letters that do not pack below 0.6 by themselves";
  EXPECT_EQ(restored(file).value(), text);
}

TEST_F(Archive, KeepsEverythingAlsoWhereAllIsSealed) {
  keyring_ = *crypto::Keyring::create("Ada", 1'000, crypto::SealMode::all);
  const std::string text = records("s", 0, 40);
  const fs::path file = write("s.jsonl", text);
  take(file);
  EXPECT_LT(pieces(file).at(0).sealed.size(), text.size() / 10);
  EXPECT_EQ(restored(file).value(), text);
}

TEST_F(Archive, OfALargeFileEachPieceLeansOnItsShare) {
  const std::string text = records("s", 0, 1200);  // 3.7 MB
  const fs::path file = write("s.jsonl", text);
  take(file);
  const std::vector<store::Segment> all = pieces(file);
  ASSERT_GE(all.size(), 3u);
  std::size_t sealed = 0;
  std::set<Cid> leaned;
  for (const store::Segment& piece : all) {
    sealed += piece.sealed.size();
    leaned.insert(piece.dictionary.begin(), piece.dictionary.end());
  }
  EXPECT_LT(sealed, text.size() / 8);
  EXPECT_EQ(leaned.size(), 3600u);
  EXPECT_LT(all.front().dictionary.size(), 3600u * 3 / 4) << "not each on all of them";
  EXPECT_EQ(restored(file).value(), text);
}

TEST_F(Archive, OfAFileInManyCommitsAndOfOneThatGrowsComesBackWhole) {
  std::string text = records("s", 0, 200);
  const fs::path file = write("s.jsonl", text);
  take(file, 64u << 10);
  for (int i = 200; i < 230; ++i) {
    text += records("s", i, i + 1, 40);
    write("s.jsonl", text);
    take(file);
    ASSERT_EQ(restored(file).value(), text) << i;
  }
}

TEST_F(Archive, OfAForkOutlivesItsOrigin) {
  const std::string common = records("a", 0, 30);
  std::string copied = common;
  for (std::size_t at = 0; (at = copied.find(R"("sessionId":"a")", at)) != std::string::npos;) {
    copied.replace(at, 15, R"("sessionId":"b")");
  }
  const fs::path origin = write("a.jsonl", common), fork = write("b.jsonl", copied);
  take(origin);
  take(fork);
  const std::vector<store::Segment> all = pieces(fork);
  ASSERT_EQ(all.at(0).dictionary, pieces(origin).at(0).dictionary) << "they share their thoughts";
  const auto rows = store_->conversations({.session_id = "a"});
  ASSERT_EQ(rows->size(), 1u);
  ASSERT_TRUE(forget(*store_, keyring_, rows->front(), 1'800'000'000'000));
  EXPECT_EQ(restored(origin).error().code, ErrorCode::not_found);
  EXPECT_EQ(restored(fork).value(), copied);
}

TEST_F(Archive, GivesNoOtherBytesIfWhatItLeansOnIsNotWhatItWas) {
  const fs::path file = write("s.jsonl", records("s", 0, 12));
  take(file);
  // One prompt says what the next one says.
  run("UPDATE thoughts SET body = (SELECT body FROM thoughts next WHERE next.type = thoughts.type "
      "AND next.id > thoughts.id ORDER BY id LIMIT 1) WHERE id = (SELECT min(thoughts.id) FROM "
      "thoughts JOIN words ON words.id = type WHERE text = 'anthropic/human_input')");
  const Result<std::string> bytes = restored(file);
  ASSERT_FALSE(bytes);
  EXPECT_EQ(bytes.error().code, ErrorCode::corrupt) << bytes.error().message;
}

TEST_F(Archive, NamesThePieceThatLostWhatItLeansOn) {
  const fs::path file = write("s.jsonl", records("s", 0, 12));
  take(file);
  run("DELETE FROM thoughts WHERE id = (SELECT min(thoughts.id) FROM thoughts JOIN words "
      "ON words.id = type WHERE text = 'anthropic/human_input')");
  const Result<std::string> gone = restored(file);
  ASSERT_FALSE(gone);
  EXPECT_EQ(gone.error().code, ErrorCode::not_found) << gone.error().message;
  EXPECT_THAT(gone.error().message, testing::HasSubstr("archive"));
  for (const char* damage :
       {"UPDATE archive SET leans_on = x'FF'", "UPDATE archive SET leans_on = x'02FFFFFFFF0F'",
        "UPDATE archive SET leans_on = NULL"}) {
    run(damage);
    const Result<std::string> bytes = restored(file);
    ASSERT_FALSE(bytes) << damage;
    EXPECT_EQ(bytes.error().code, ErrorCode::corrupt) << bytes.error().message;
  }
}

TEST_F(Archive, OpensPiecesThatLeanOnNothingAsOlderStoresHaveThem) {
  const SourceSeal seal(keyring_);
  const store::SourceKey key = seal.key("/a");
  const std::string bytes = noise(1, 5000);
  const store::Segment piece = seal.seal_segment(key, 2, 3, bytes);
  EXPECT_TRUE(piece.dictionary.empty());
  EXPECT_EQ(open_segment(*store_, keyring_, key, 2, piece).value(), bytes);
  EXPECT_EQ(open_segment(*store_, keyring_, key, 1, piece).error().code, ErrorCode::corrupt);
}

}  // namespace
}  // namespace weft::ingest

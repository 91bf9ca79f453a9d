#include "weft/capture/proxy/journal.hpp"

#include <gtest/gtest.h>

#include <fcntl.h>

#include <fstream>

#include "weft/base/file.hpp"
#include "weft/store/scratch_for_test.hpp"

namespace weft::capture {
namespace {

namespace fs = std::filesystem;

struct Home {
  Journal open() const { return Journal::open(folder(), keyring).value(); }
  fs::path folder() const { return scratch.path() / "record"; }
  std::vector<fs::path> files() const {
    std::vector<fs::path> all;
    for (const auto& file : fs::directory_iterator(folder())) all.push_back(file.path());
    return all;
  }
  store::Scratch scratch;
  crypto::Keyring keyring = *crypto::Keyring::create("Ada", 1'000, crypto::SealMode::thinking);
};

void write_some(JournalEntry& entry) {
  entry.add(
      FrameKind::request_head, 100,
      R"({"content_encoding":"","content_type":"application/json","method":"POST","target":"/v1/messages"})");
  entry.add(FrameKind::request_body, 101, "question");
  entry.add(FrameKind::request_end, 102, "");
  entry.add(FrameKind::response_head, 200,
            R"({"content_encoding":"gzip","content_type":"t","request_id":"r","status":200})");
  entry.add(FrameKind::response_body, 201, "ans");
  entry.add(FrameKind::response_body, 300, "wer");
}

TEST(Journal, ReadsBackWhatWasWritten) {
  const Home home;
  const Journal journal = home.open();
  const auto entry = journal.begin().value();
  write_some(*entry);
  EXPECT_FALSE(entry->read().value().end);
  const char whole = static_cast<char>(ExchangeEnd::complete);
  entry->add(FrameKind::end, 301, {&whole, 1});
  const RecordedExchange recorded = entry->read().value();
  EXPECT_EQ(recorded.method, "POST");
  EXPECT_EQ(recorded.target, "/v1/messages");
  EXPECT_EQ(recorded.requested_at, 100);
  EXPECT_EQ(recorded.request, "question");
  EXPECT_TRUE(recorded.is_request_complete);
  EXPECT_EQ(recorded.status, 200);
  EXPECT_EQ(recorded.response_encoding, "gzip");
  EXPECT_EQ(recorded.response, "answer");
  ASSERT_EQ(recorded.arrivals.size(), 2u);
  EXPECT_EQ(recorded.arrivals[1], (std::pair<std::size_t, Millis>(3, 300)));
  EXPECT_EQ(recorded.end, ExchangeEnd::complete);
  EXPECT_EQ(recorded.last_at, 301);
  entry->remove();
  EXPECT_TRUE(home.files().empty());
}

TEST(Journal, HasTheBytesThatItsPageSays) {
  const Home home;
  const Journal journal = home.open();
  const auto entry = journal.begin().value();
  entry->add(
      FrameKind::request_head, 100,
      R"({"content_encoding":"","content_type":"","method":"POST","target":"/v1/messages"})");
  const std::string bytes = read_file(home.files().at(0)).value();
  EXPECT_EQ(bytes.size(), 150u);
  EXPECT_EQ(bytes.substr(0, 12), std::string("weftxj1\n\x8a\0\0\0", 12));
}

TEST(Journal, IsSealedAndForTheOwnerAlone) {
  const Home home;
  const Journal journal = home.open();
  const auto entry = journal.begin().value();
  write_some(*entry);
  const std::string bytes = read_file(home.files().at(0)).value();
  for (const char* word : {"question", "ans", "messages", "POST", "gzip"}) {
    EXPECT_EQ(bytes.find(word), std::string::npos) << word;
  }
  EXPECT_EQ(fs::status(home.files().at(0)).permissions(),
            fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_EQ(fs::status(home.folder()).permissions(), fs::perms::owner_all);
}

TEST(Journal, OfWhatWasTornAllThatWasWholeIsRead) {
  const Home home;
  const Journal journal = home.open();
  {
    const auto entry = journal.begin().value();
    write_some(*entry);
  }
  const fs::path file = home.files().at(0);
  const std::string bytes = read_file(file).value();
  std::size_t last = 0;
  for (std::size_t size = 0; size <= bytes.size(); ++size) {
    std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes.substr(0, size);
    const auto orphans = journal.orphans().value();
    ASSERT_EQ(orphans.size(), 1u);
    const Result<RecordedExchange> recorded = orphans[0]->read();
    ASSERT_TRUE(recorded) << size << ": " << recorded.error().message;
    const std::size_t got = recorded->request.size() + recorded->response.size();
    EXPECT_GE(got, last) << size;
    last = got;
  }
  EXPECT_EQ(last, 14u);
}

TEST(Journal, WhatWasChangedIsNotRead) {
  const Home home;
  const Journal journal = home.open();
  {
    const auto entry = journal.begin().value();
    write_some(*entry);
  }
  const fs::path file = home.files().at(0);
  std::string bytes = read_file(file).value();
  bytes[bytes.size() / 2] ^= 1;
  std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
  const auto orphans = journal.orphans().value();
  ASSERT_EQ(orphans.size(), 1u);
  EXPECT_FALSE(orphans[0]->read());
}

TEST(Journal, WhatIsBeingWrittenIsNoOrphan) {
  const Home home;
  const Journal journal = home.open();
  auto entry = journal.begin().value();
  write_some(*entry);
  EXPECT_TRUE(journal.orphans().value().empty());
  entry.reset();
  EXPECT_EQ(journal.orphans().value().size(), 1u);
}

TEST(Journal, BodiesBeyondTheLimitAreNotKept) {
  const Home home;
  const Journal journal = home.open();
  const auto entry = journal.begin().value();
  const std::string piece(32u << 20, 'x');
  for (int i = 0; i < 6; ++i) entry->add(FrameKind::response_body, 1, piece);
  EXPECT_LT(fs::file_size(home.files().at(0)), 160u << 20);
  EXPECT_TRUE(entry->read().value().is_too_large);
}

TEST(Journal, ADiskThatIsFullLosesTheExchangeAndNothingElse) {
  // Every write to this device fails as a full disk's does.
  Home home;
  JournalEntry entry("/dev/full/none.exchange", Fd(::open("/dev/full", O_WRONLY)),
                     *home.keyring.archive_key());
  entry.add(FrameKind::request_body, 1, "x");
  EXPECT_TRUE(entry.has_failed());
  entry.add(FrameKind::request_body, 1, "y");
  EXPECT_TRUE(entry.has_failed());
}

}  // namespace
}  // namespace weft::capture

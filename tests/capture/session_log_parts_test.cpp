// A session whose log is longer than a file: it continues in further ones, and no entry is lost or
// written twice where one file ends, however the writing ends there.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "session_log_for_test.hpp"

namespace weft {
namespace {

namespace fs = std::filesystem;
using test::Session;
using testing::EndsWith;
using testing::HasSubstr;

constexpr std::uint64_t kMaxBytes = 1'000;

class LoggedInParts : public Logged {
 protected:
  LoggedInParts() {
    options_.max_file_bytes = kMaxBytes;
    catch_up();
    for (int i = 0; i < 12; ++i) {
      session_.human("question " + std::to_string(i) + ".");
      session_.says("answer " + std::to_string(i) + ".");
    }
    ingest(session_);
    catch_up();
  }
  int count_parts() const {
    int parts = 0;
    while (fs::exists(part_path(parts + 1))) ++parts;
    return parts;
  }
  // Every entry once, in order.
  void expect_whole() const { EXPECT_EQ(log_text(), transcript()); }
};

TEST_F(LoggedInParts, NoFileIsLongerThanItsLimitAndLinesStayWhole) {
  expect_whole();
  const int parts = count_parts();
  ASSERT_GT(parts, 3);
  for (int part = 1; part <= parts; ++part) {
    const std::string text = read_file(part_path(part)).value();
    EXPECT_LE(text.size(), kMaxBytes) << part;
    EXPECT_THAT(text, EndsWith("}\n"));
  }
  EXPECT_EQ(session_.id(), kLoggedId);
}

TEST_F(LoggedInParts, ALongLineIsAFileOfItsOwn) {
  session_.human(std::string(3 * kMaxBytes, 'x'));
  session_.says("short again");
  ingest(session_);
  catch_up();
  expect_whole();
  const int parts = count_parts();
  EXPECT_GT(fs::file_size(part_path(parts - 1)), kMaxBytes);
  EXPECT_THAT(read_file(part_path(parts)).value(), HasSubstr("short again"));
}

TEST_F(LoggedInParts, AnotherProcessContinuesTheLastFile) {
  const int parts = count_parts();
  const auto first_time = fs::last_write_time(part_path(1));
  for (int i = 0; i < 8; ++i) {
    session_.human("later " + std::to_string(i) + ".");
    session_.says("and so on " + std::to_string(i) + ".");
    ingest(session_);
    catch_up();  // opens the log again
    expect_whole();
  }
  EXPECT_GT(count_parts(), parts);
  EXPECT_EQ(fs::last_write_time(part_path(1)), first_time);
}

// A crash leaves the files as far as they were written, and a note of any earlier time, or none.
TEST_F(LoggedInParts, CutOffAtAnyByteItContinues) {
  const std::string log = log_text();
  std::vector<std::string> texts;
  for (int part = 1; part <= count_parts(); ++part) {
    texts.push_back(read_file(part_path(part)).value());
  }
  const std::string last_note = read_file(note_path()).value();
  for (std::size_t cut = 0; cut < log.size(); cut += 97) {
    SCOPED_TRACE("cut at " + std::to_string(cut));
    std::size_t begin = 0;
    for (std::size_t i = 0; i < texts.size(); ++i) {
      const int part = static_cast<int>(i) + 1;
      if (cut > begin) write_text(part_path(part), texts[i].substr(0, cut - begin));
      else fs::remove(part_path(part));
      begin += texts[i].size();
    }
    for (int part = static_cast<int>(texts.size()) + 1; fs::exists(part_path(part)); ++part) {
      fs::remove(part_path(part));
    }
    write_text(note_path(), cut % 2 == 0 ? "{" : last_note);
    session_.human("after " + std::to_string(cut) + ".");
    ingest(session_);
    catch_up();
    expect_whole();
    if (HasFailure()) return;
  }
}

TEST_F(LoggedInParts, WithoutTheNoteAllFilesAreRead) {
  fs::remove(note_path());
  session_.human("more");
  ingest(session_);
  catch_up();
  expect_whole();
}

TEST_F(LoggedInParts, OldFilesMayBeRemoved) {
  const int parts = count_parts();
  const std::string second = read_file(part_path(2)).value();
  fs::remove(part_path(1));
  session_.human("more");
  ingest(session_);
  catch_up();
  EXPECT_FALSE(fs::exists(part_path(1)));
  EXPECT_EQ(read_file(part_path(2)).value(), second);
  std::string last;
  for (int part = parts; fs::exists(part_path(part)); ++part) {
    last = read_file(part_path(part)).value();
  }
  EXPECT_THAT(last, HasSubstr("\"more\""));
}

TEST_F(LoggedInParts, ALastFileThatWasRemovedIsWrittenAgain) {
  fs::remove(part_path(count_parts()));
  session_.human("more");
  ingest(session_);
  catch_up();
  expect_whole();
}

}  // namespace
}  // namespace weft

// Sessions that their tool packed when it was done with them: read as the files that they were.
#include <archive.h>
#include <archive_entry.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "program.hpp"
#include "session_for_test.hpp"
#include "weft/base/file.hpp"

namespace weft::test {
namespace {

enum class Packer { zstd, gzip };

void write_packed(const std::string& path, const std::string& text, Packer packer) {
  archive* out = archive_write_new();
  archive_write_set_format_raw(out);
  packer == Packer::zstd ? archive_write_add_filter_zstd(out) : archive_write_add_filter_gzip(out);
  ASSERT_EQ(archive_write_open_filename(out, path.c_str()), ARCHIVE_OK);
  archive_entry* entry = archive_entry_new();
  archive_entry_set_filetype(entry, AE_IFREG);
  archive_write_header(out, entry);
  archive_write_data(out, text.data(), text.size());
  archive_entry_free(entry);
  archive_write_close(out);
  archive_write_free(out);
}

std::string session() {
  Session session("5e551011-0000-4000-8000-000000000001");
  session.human("Where is the quokka?");
  session.says("In the garden.");
  return session.text();
}

class Packed : public testing::TestWithParam<Packer> {
 protected:
  std::string path() const {
    return weft_.path(GetParam() == Packer::zstd ? "session.jsonl.zst" : "session.jsonl.gz");
  }
  const Weft weft_;
};

TEST_P(Packed, IsTheSameConversationAndGivenBackAsItWas) {
  write_packed(path(), session(), GetParam());
  const json::object ingested = weft_.json({"ingest", path()});
  ASSERT_EQ(list(ingested, "conversations").size(), 1u);
  EXPECT_EQ(text(list(ingested, "conversations")[0].get_object(), "format"), "claude-code");
  // Unpacked it has nothing to add.
  const json::object again = weft_.json({"ingest", weft_.write("session.jsonl", session())});
  EXPECT_EQ(number(again, "new_thoughts"), 0);
  const json::array files = list(weft_.json({"sources", "--files"}), "files");
  ASSERT_EQ(files.size(), 2u);
  EXPECT_EQ(text(files[1].get_object(), "format"), "claude-code");
  EXPECT_EQ(weft_({"restore", path(), "--out", weft_.path("back")}).exit, 0);
  EXPECT_TRUE(read_file(weft_.path("back")).value() == read_file(path()).value());
  EXPECT_EQ(number(weft_.json({"ingest", path()}), "new_thoughts"), 0);
}

TEST_P(Packed, GoneItIsNotWovenAgainAndTheReasonIsGiven) {
  write_packed(path(), session(), GetParam());
  weft_.json({"ingest", path()});
  std::filesystem::remove(path());
  const json::array skipped = list(weft_.json({"reweave", "--all"}), "skipped");
  ASSERT_EQ(skipped.size(), 1u);
  EXPECT_THAT(text(skipped[0].get_object(), "reason"), testing::HasSubstr("weft restore"));
}

TEST_P(Packed, OneThatIsCutIsTakenAsFarAsItGoesAndSaysSo) {
  std::string text;
  while (text.size() < (4u << 20)) text += session();
  write_packed(path(), text, GetParam());
  std::filesystem::resize_file(path(), std::filesystem::file_size(path()) - 20);
  const json::object ingested = weft_.json({"ingest", path()});
  bool is_reported = false;
  for (const json::value& skipped : list(ingested, "skipped")) {
    is_reported =
        is_reported || weft::test::text(skipped.get_object(), "reason").starts_with("unpacking");
  }
  EXPECT_TRUE(is_reported) << canonical_json(json::value(ingested));
}

TEST_P(Packed, ABombIsRefused) {
  write_packed(path(), session() + std::string(300u << 20, ' '), GetParam());
  const Ran ran = weft_({"ingest", "--json", path()});
  EXPECT_NE(ran.out.find("times its size"), std::string::npos) << ran;
}

INSTANTIATE_TEST_SUITE_P(All, Packed, testing::Values(Packer::zstd, Packer::gzip));

}  // namespace
}  // namespace weft::test

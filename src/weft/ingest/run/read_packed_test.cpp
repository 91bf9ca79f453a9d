// Zips: every member is read, and the cost grows with their number alone.
#include <archive.h>
#include <archive_entry.h>
#include <gtest/gtest.h>

#include "weft/ingest/ingest.hpp"
#include "weft/store/open.hpp"
#include "weft/store/scratch_for_test.hpp"

namespace weft::ingest {
namespace {

std::string prompt(const std::string& session) {
  return R"({"type":"user","uuid":"u","sessionId":")" + session +
         R"(","timestamp":"2026-02-01T10:00:00Z","message":{"role":"user","content":"question of )" +
         session + "\"}}\n";
}

void write_zip(const std::filesystem::path& path, int members) {
  archive* zip = ::archive_write_new();
  ::archive_write_set_format_zip(zip);
  ASSERT_EQ(::archive_write_open_filename(zip, path.c_str()), ARCHIVE_OK);
  for (int i = 0; i < members; ++i) {
    const std::string name = "s" + std::to_string(i), text = prompt(name);
    archive_entry* entry = ::archive_entry_new();
    ::archive_entry_set_pathname(entry, (name + ".jsonl").c_str());
    ::archive_entry_set_filetype(entry, AE_IFREG);
    ::archive_entry_set_perm(entry, 0600);
    ::archive_entry_set_size(entry, static_cast<la_int64_t>(text.size()));
    EXPECT_EQ(::archive_write_header(zip, entry), ARCHIVE_OK);
    EXPECT_EQ(::archive_write_data(zip, text.data(), text.size()),
              static_cast<la_ssize_t>(text.size()));
    ::archive_entry_free(entry);
  }
  ::archive_write_free(zip);
}

// Once each member doubled the list of the zip's conversations.
TEST(ReadZip, NamesTheConversationsOfFortyMembersOnceEach) {
  const store::Scratch scratch;
  write_zip(scratch.path() / "sessions.zip", 40);
  const crypto::Keyring keyring =
      *crypto::Keyring::create("Ada", 1'000, crypto::SealMode::thinking);
  const auto store = store::open_store(scratch.path() / "weft.db", store::Create::yes).value();
  const Options options{.paths = {scratch.path() / "sessions.zip"},
                        .clock = [] { return Millis{1'770'000'000'000}; }};
  const Result<Report> report = ingest(*store, keyring, options);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->conversations.size(), 40u);
  EXPECT_EQ(report->files, 1u);
  EXPECT_EQ(store->sources().conversations_in(store->sources().all()->at(0).key)->size(), 40u);
}

}  // namespace
}  // namespace weft::ingest

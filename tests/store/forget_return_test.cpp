// What was forgotten does not come back: not by its file, nor by another, nor by an import.
#include <archive.h>
#include <archive_entry.h>
#include <gmock/gmock.h>
#include <sys/wait.h>

#include <thread>

#include "forget_for_test.hpp"
#include "import_for_test.hpp"

namespace weft {
namespace {

using testing::HasSubstr;

TEST(Forget, DoesNotTakeTheFileInAgainUnchangedGrownOrUnderAnotherName) {
  Web web(heading("gone") + round_of("gone-words", 1));
  write_text(web.dir / "stays.txt", heading("stays") + round_of("stays", 1));
  web.ingest(web.dir / "stays.txt");
  forget(web, "gone");
  const auto expect_out = [&](const ingest::Report& report) {
    EXPECT_TRUE(report.conversations.empty());
    ASSERT_EQ(report.skipped.size(), 1u);
    EXPECT_THAT(report.skipped[0].reason, HasSubstr("forgotten"));
    EXPECT_FALSE(files_say(web.dir.path(), "gone-words"));
    const Tool tool(web.store_path());
    EXPECT_EQ(tool.rows("SELECT * FROM archive").size(), 1u);
    EXPECT_EQ(tool.rows("SELECT * FROM sources WHERE archived = 0 AND length(state) > 0").size(),
              0u);
    expect_sound(web);
  };
  const ingest::Report unchanged = web.ingest(web.dir / "talk.txt");
  EXPECT_EQ(unchanged.unchanged, 1u);
  expect_out(unchanged);
  const std::string grown = heading("gone") + round_of("gone-words", 1) + round_of("gone-words", 2);
  write_text(web.dir / "talk.txt", grown);
  expect_out(web.ingest(web.dir / "talk.txt"));
  EXPECT_EQ(web.ingest(web.dir / "talk.txt").unchanged, 1u);
  write_text(web.dir / "copy.txt", grown);
  expect_out(web.ingest(web.dir / "copy.txt"));
  EXPECT_EQ(web.ingest(web.dir / "copy.txt").unchanged, 1u);
}

void write_zip(const std::filesystem::path& path,
               const std::vector<std::pair<std::string, std::string>>& members) {
  ::archive* zip = archive_write_new();
  archive_write_set_format_zip(zip);
  ASSERT_EQ(archive_write_open_filename(zip, path.c_str()), ARCHIVE_OK);
  for (const auto& [name, text] : members) {
    archive_entry* entry = archive_entry_new();
    archive_entry_set_pathname(entry, name.c_str());
    archive_entry_set_size(entry, static_cast<la_int64_t>(text.size()));
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_perm(entry, 0600);
    archive_write_header(zip, entry);
    archive_write_data(zip, text.data(), text.size());
    archive_entry_free(entry);
  }
  archive_write_close(zip);
  archive_write_free(zip);
}

TEST(Forget, LeavesTheOtherConversationsOfAFileAndKeepsNothingOfTheFileItself) {
  Web web;
  TempDir elsewhere;
  const auto zip = elsewhere / "export.zip";
  write_zip(zip, {{"a.txt", heading("gone") + round_of("gone-words", 1)},
                  {"b.txt", heading("stays") + round_of("stays", 1)}});
  EXPECT_EQ(web.ingest(zip).conversations.size(), 2u);
  const auto pieces = [&] { return Tool(web.store_path()).rows("SELECT * FROM archive").size(); };
  ASSERT_EQ(pieces(), 2u);
  EXPECT_EQ(forget(web, "gone").archives, 1u);
  EXPECT_EQ(pieces(), 1u);
  expect_sound(web);
  // A newer export still has it.
  write_zip(zip, {{"a.txt", heading("gone") + round_of("gone-words", 1)},
                  {"b.txt", heading("stays") + round_of("stays", 1) + round_of("more", 2)}});
  const ingest::Report report = web.ingest(zip);
  ASSERT_EQ(report.conversations.size(), 1u);
  EXPECT_GT(report.conversations[0].new_thoughts, 0u);
  EXPECT_EQ(pieces(), 1u);
  EXPECT_FALSE(files_say(web.dir.path(), "gone-words"));
  const auto again = elsewhere / "again.zip";
  std::filesystem::copy_file(zip, again);
  web.ingest(again);
  EXPECT_EQ(pieces(), 1u);
  expect_sound(web);
}

std::string exported_chat(const std::string& uuid, const std::string& words, int messages) {
  std::string text = R"({"uuid":")" + uuid + R"(","name":"called )" + words +
                     R"(","created_at":"2026-03-02T09:00:00Z","chat_messages":[)";
  for (int i = 0; i < messages; ++i) {
    const std::string n = std::to_string(i);
    text += (i == 0 ? "" : ",\n");
    text += R"({"uuid":")" + uuid + n + R"(","sender":")" + (i % 2 == 0 ? "human" : "assistant") +
            R"(","text":"","content":[{"type":"text","text":")" + words + n +
            std::string(4'000, 'x') + R"("}],"created_at":"2026-03-02T09:00:00Z"})";
  }
  return text + "]}";
}

TEST(Forget, KeepsNothingOfALargeFileWhereItIsMetLate) {
  Web web;
  TempDir elsewhere;
  const auto ingest = [&](const std::string& name, int messages) {
    write_text(elsewhere / name, "[" + exported_chat("stays", "stays-words", messages) + ",\n" +
                                     exported_chat("gone", "gone-words", 4) + "]");
    const auto store = web.open();
    ingest::Options options{.paths = {elsewhere / name}, .commit_bytes = 64u << 10};
    options.clock = [] { return Millis{1'770'000'000'000}; };
    const auto report = ingest::ingest(*store, web.keyring, options);
    EXPECT_TRUE(report) << report.error().message;
    return report.value_or(ingest::Report{});
  };
  const auto pieces = [&] {
    return Tool(web.store_path())
        .rows("SELECT 1 FROM archive WHERE source <> (SELECT min(id) FROM sources)")
        .size();
  };
  ASSERT_EQ(ingest("first.json", 4).conversations.size(), 2u);
  ASSERT_EQ(pieces(), 1u);
  EXPECT_EQ(forget(web, "gone").archives, 1u);
  EXPECT_EQ(pieces(), 0u);
  // Under another name, with megabytes before it that are archived by then.
  const ingest::Report report = ingest("second.json", 1'000);
  ASSERT_EQ(report.conversations.size(), 1u);
  EXPECT_TRUE(report.warnings.empty());
  EXPECT_EQ(pieces(), 0u);
  const Tool tool(web.store_path());
  EXPECT_EQ(tool.rows("SELECT * FROM wipes").size(), 0u);
  EXPECT_EQ(tool.rows("SELECT * FROM sources WHERE archived = 0 AND size > 0").size(), 2u);
  EXPECT_FALSE(files_say(web.dir.path(), "gone-words"));
  expect_sound(web);
}

TEST(Forget, KeepsNothingOfAFileThatWasNeverReadToItsEnd) {
  Web web;
  TempDir elsewhere;
  write_text(elsewhere / "first.json", "[" + exported_chat("gone", "gone-words", 2) + "]");
  web.ingest(elsewhere / "first.json");
  write_text(elsewhere / "cut.json", "[" + exported_chat("gone", "gone-words", 1'500) + "]");
  const pid_t pid = in_child([&] {
    const auto store = web.open();
    ingest::Options options{.paths = {elsewhere / "cut.json"}, .commit_bytes = 64u << 10};
    options.clock = [] { return Millis{1'770'000'000'000}; };
    // It ends in the midst of it, as soon as something is there.
    int reports = 0;
    options.progress = [&](const ingest::Progress& progress) {
      if (progress.bytes > 0 && ++reports == 4) {
        while (store->sources().all()->size() < 3) std::this_thread::yield();
        ::_exit(0);
      }
    };
    return ingest::ingest(*store, web.keyring, options).has_value();
  });
  int status = 0;
  ::waitpid(pid, &status, 0);
  const auto archived = [&] {
    return Tool(web.store_path())
        .rows("SELECT 1 FROM archive WHERE source <> (SELECT min(id) FROM sources)")
        .size();
  };
  ASSERT_GT(archived(), 1u);
  forget(web, "gone");
  EXPECT_EQ(archived(), 0u);
  EXPECT_FALSE(files_say(web.dir.path(), "gone-words"));
  expect_sound(web);
  EXPECT_TRUE(web.ingest(elsewhere / "cut.json").conversations.empty());
  EXPECT_EQ(archived(), 0u);
}

TEST(Forget, IsNotUndoneByAnImport) {
  Forks forks;
  std::string exported;
  {
    const auto store = forks.web.open();
    std::ignore =
        store->each_of(row_of(*store, "origin").cid, [&](const thought::Thought& thought) {
          exported += canonical_json(to_json(thought)) + "\n";
          return true;
        });
  }
  forget(forks.web, "origin");
  const auto store = forks.web.open();
  const auto report = test::import_text(*store, &forks.web.keyring, exported);
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, ErrorCode::invalid_input);
  EXPECT_THAT(report.error().message, HasSubstr("was forgotten"));
  expect_sound(forks.web);
}

}  // namespace
}  // namespace weft

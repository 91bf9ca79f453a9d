// weft backup and weft restore-home: one file, checked, and a home again.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <random>
#include <regex>
#include <sstream>
#include <thread>

#include "kill_moments_for_test.hpp"
#include "program.hpp"
#include "weft/cli/ingest/sample.hpp"
#include "weft/cli/upkeep/backup_manifest.hpp"

namespace weft::test {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::UnorderedElementsAre;

std::string bytes_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class Backup : public testing::Test {
 protected:
  Backup() { EXPECT_EQ(weft({"ingest", talk}).exit, 0); }
  static unsigned mode(const fs::path& path) {
    struct stat info{};
    EXPECT_EQ(::stat(path.c_str(), &info), 0) << path;
    return info.st_mode & 0777u;
  }
  std::vector<std::string> names_beside(const std::string& start) const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(weft.scratch())) {
      const std::string name = entry.path().filename().string();
      if (name.starts_with(start)) names.push_back(name);
    }
    return names;
  }
  std::string head() const { return text(weft.json({"verify"}), "head"); }
  void give_passphrase() {
    weft.environment["WEFT_PASSPHRASE_FILE"] = weft.write("words", "open sesame\n");
    fs::permissions(weft.path("words"), fs::perms(0600));
  }

  Weft weft;
  std::string talk = weft.write("talk.txt", cli::sample_transcript());
  std::string file = weft.path("weft.tar");
  std::string restored = weft.path("restored");
};

TEST_F(Backup, IsOneFileForItsOwnerWithTheHeadOfTheStore) {
  std::ofstream(weft.home() / "config.json") << R"({"exclude": ["*secret*"]})";
  const json::object made = weft.json({"backup", file});
  EXPECT_EQ(text(made, "head"), head());
  EXPECT_EQ(number(made, "conversations"), 1);
  EXPECT_FALSE(made.at("keyring").as_bool());
  EXPECT_EQ(mode(file), 0600u);
  EXPECT_EQ(static_cast<std::int64_t>(fs::file_size(file)), number(made, "bytes"));
  EXPECT_THAT(names_beside("weft.tar"), UnorderedElementsAre("weft.tar"));

  const json::object back = weft.json({"restore-home", file, "--home", restored});
  EXPECT_EQ(text(back, "head"), head());
  EXPECT_EQ(list(back, "missing"), json::array({"keyring.json"}));
  EXPECT_EQ(mode(restored), 0700u);
  EXPECT_EQ(mode(fs::path(restored) / "weft.db"), 0600u);
  EXPECT_EQ(bytes_of(fs::path(restored) / "config.json"), R"({"exclude": ["*secret*"]})");
  EXPECT_FALSE(fs::exists(fs::path(restored) / "keyring.json"));
  EXPECT_EQ(weft({"verify", "--home", restored, "--head", head()}).exit, 0);
  EXPECT_EQ(list(weft.json({"list", "--home", restored}), "conversations"),
            list(weft.json({"list"}), "conversations"));
}

TEST_F(Backup, WithoutTheKeyringSaysSoAndNothingIsWrittenUntilItIsBack) {
  ASSERT_THAT(weft({"backup", file}).err, HasSubstr("keyring is not in the backup"));
  const Ran back = weft({"restore-home", file, "--home", restored});
  EXPECT_EQ(back.exit, 0) << back;
  EXPECT_THAT(back.err, HasSubstr("the keyring is missing"));
  EXPECT_EQ(weft({"ingest", talk, "--home", restored}).exit, 3);
  fs::copy_file(weft.home() / "keyring.json", fs::path(restored) / "keyring.json");
  const Ran again = weft({"ingest", talk, "--home", restored, "--json"});
  EXPECT_EQ(number(again.object(), "new_thoughts"), 0) << again;
}

TEST_F(Backup, HoldsTheKeyringOnlyUnderAPassphrase) {
  const Ran nobody = weft({"backup", file, "--with-keyring"});
  EXPECT_EQ(nobody.exit, 3) << nobody;
  EXPECT_THAT(nobody.err, HasSubstr("only under a passphrase"));
  EXPECT_THAT(names_beside("weft.tar"), IsEmpty());
  give_passphrase();
  const Ran made = weft({"backup", file, "--with-keyring", "--json"});
  EXPECT_TRUE(made.object().at("keyring").as_bool());
  const std::string seed = [&] {
    const std::string keyring = bytes_of(weft.home() / "keyring.json");
    const auto at = keyring.find("owner_seed\":\"");
    return keyring.substr(at + 13, 64);
  }();
  EXPECT_EQ(bytes_of(file).find(seed), std::string::npos);
  EXPECT_EQ(weft({"restore-home", file, "--home", restored}).exit, 0);
  EXPECT_EQ(mode(fs::path(restored) / "keyring.json"), 0600u);
  const std::string key = text(weft.json({"keys", "show"}), "public_key");
  EXPECT_EQ(text(weft.json({"keys", "show", "--home", restored}), "public_key"), key);
  EXPECT_EQ(text(weft.json({"verify", "--home", restored}), "verdict"), "valid");
  weft.environment.erase("WEFT_PASSPHRASE_FILE");
  EXPECT_EQ(weft({"keys", "show", "--home", restored}).exit, 3);
}

TEST_F(Backup, HoldsNoKeyringOfSomebodyElse) {
  give_passphrase();
  ASSERT_EQ(weft({"init", "--name", "bob", "--home", weft.path("bob")}).exit, 0);
  const std::string other = weft.path("bob") + "/keyring.json";
  const Ran ran = weft({"backup", file, "--with-keyring", "--keys", other});
  EXPECT_EQ(ran.exit, 3) << ran;
  EXPECT_THAT(ran.err, HasSubstr(text(weft.json({"keys", "show"}), "public_key")));
  EXPECT_THAT(names_beside("weft.tar"), IsEmpty());
}

TEST_F(Backup, OverwritesNothing) {
  weft.write("weft.tar", "precious");
  const Ran kept = weft({"backup", file});
  EXPECT_EQ(kept.exit, 1) << kept;
  EXPECT_EQ(bytes_of(file), "precious");
  EXPECT_EQ(weft({"backup", file, "--force"}).exit, 0);
  for (const std::string& home : {weft.home().string(), weft.scratch().string()}) {
    const Ran refused = weft({"restore-home", file, "--home", home});
    EXPECT_EQ(refused.exit, 1) << refused;
    EXPECT_THAT(refused.err, HasSubstr("is not empty"));
  }
  EXPECT_EQ(weft({"verify"}).exit, 0);
  fs::create_directory(restored);
  EXPECT_EQ(weft({"restore-home", file, "--home", restored}).exit, 0) << "an empty folder is fine";
}

TEST_F(Backup, ThatIsDamagedIsRefusedAndNothingIsLeft) {
  ASSERT_EQ(weft({"backup", file}).exit, 0);
  const std::string whole = bytes_of(file);
  const unsigned seed = test_seed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  // Padding between members is not covered; everything else is.
  const std::size_t begin = 512, end = whole.size() - 16'384;
  for (int i = 0; i < 8; ++i) {
    std::string hurt = whole;
    const std::size_t at = i == 0 ? 600 : begin + 1536 + random() % (end - begin - 1536);
    if (i == 1) {
      hurt.resize(whole.size() / 2);
    } else {
      hurt[at] = static_cast<char>(hurt[at] ^ 0x10);
    }
    weft.write("hurt.tar", hurt);
    const Ran ran = weft({"restore-home", weft.path("hurt.tar"), "--home", restored});
    EXPECT_EQ(ran.exit, 3) << i << " at " << at << ran;
    EXPECT_THAT(ran.err, HasSubstr("nothing was restored"));
    EXPECT_THAT(names_beside("restored"), IsEmpty());
  }
  weft.write("hurt.tar", "not a tar archive at all");
  EXPECT_EQ(weft({"restore-home", weft.path("hurt.tar"), "--home", restored}).exit, 3);
}

TEST_F(Backup, OfADamagedStoreIsNotMade) {
  const fs::path store = weft.home() / "weft.db";
  const std::string whole = bytes_of(store);
  std::string hurt = whole;
  for (std::size_t at = whole.size() / 2; at < whole.size(); ++at) hurt[at] = '\x55';
  std::ofstream(store, std::ios::binary) << hurt;
  const Ran ran = weft({"backup", file});
  EXPECT_EQ(ran.exit, 3) << ran;
  EXPECT_THAT(names_beside("weft.tar"), IsEmpty());
}

TEST_F(Backup, OfAHostileHandWritesOnlyWhatItMay) {
  const std::string script =
      "cd '" + weft.scratch().string() +
      "' && mkdir x && cd x && tar xf ../weft.tar && "
      "echo '{}' > evil && tar cf ../evil.tar weft-backup.json weft.db evil && "
      "ln -sf /etc/passwd weft.db && tar cf ../link.tar weft-backup.json weft.db && "
      "tar cf ../less.tar weft-backup.json";
  ASSERT_EQ(weft({"backup", file}).exit, 0);
  const Ran made = run_program("/bin/sh", {"-c", script}, {{"PATH", "/usr/bin:/bin"}});
  ASSERT_EQ(made.exit, 0) << made;
  for (const char* name : {"evil.tar", "link.tar", "less.tar"}) {
    const Ran ran = weft({"restore-home", weft.path(name), "--home", restored});
    EXPECT_EQ(ran.exit, 3) << name << ran;
    EXPECT_THAT(names_beside("restored"), IsEmpty()) << name;
  }
}

TEST_F(Backup, IsMadeWhileOthersWrite) {
  std::vector<std::string> files;
  for (int i = 0; i < 30; ++i) {
    std::string session(cli::sample_transcript());
    const std::string name = "Session: weft-sample";
    session.replace(session.find(name), name.size(), "Session: s" + std::to_string(i));
    files.push_back(weft.write("s" + std::to_string(i) + ".txt", session));
  }
  std::thread writer([&] {
    for (const std::string& each : files) EXPECT_EQ(weft({"ingest", each}).exit, 0);
  });
  for (int i = 0; i < 4; ++i) {
    const std::string out = weft.path("live" + std::to_string(i) + ".tar");
    const Ran made = weft({"backup", out, "--json"});
    EXPECT_EQ(made.exit, 0) << made;
    const std::string home = weft.path("live" + std::to_string(i));
    EXPECT_EQ(weft({"restore-home", out, "--home", home}).exit, 0);
    const std::string copied = text(made.object(), "head");
    EXPECT_EQ(weft({"verify", "--home", home, "--head", copied}).exit, 0);
    EXPECT_EQ(weft({"verify", "--head", copied}).exit, 0) << "the store has it, too";
  }
  writer.join();
}

TEST_F(Backup, ThatIsKilledLeavesNoHalfFileUnderItsName) {
  KillMoments moments([&] { ASSERT_EQ(weft({"backup", file}).exit, 0); });
  const std::string killed = weft.path("killed.tar");
  while (moments.goes_on(KillMoments::count() / 2)) {
    SCOPED_TRACE(moments.trace());
    fs::remove(killed);
    StdioClient run(WEFT_BINARY, {"backup", killed}, weft.environment);
    moments.strike(run);
    if (!fs::exists(killed)) continue;
    fs::remove_all(restored);
    EXPECT_EQ(weft({"restore-home", killed, "--home", restored}).exit, 0);
  }
  EXPECT_EQ(weft({"verify"}).exit, 0);
  EXPECT_GT(moments.killed(), 0);
}

TEST_F(Backup, WhoseRestorationIsKilledLeavesAWholeHomeOrNone) {
  ASSERT_EQ(weft({"backup", file}).exit, 0);
  KillMoments moments([&] { ASSERT_EQ(weft({"restore-home", file, "--home", restored}).exit, 0); });
  const json::array expected = list(weft.json({"list"}), "conversations");
  while (moments.goes_on(KillMoments::count() / 2)) {
    SCOPED_TRACE(moments.trace());
    fs::remove_all(restored);
    StdioClient run(WEFT_BINARY, {"restore-home", file, "--home", restored}, weft.environment);
    moments.strike(run);
    if (!fs::exists(restored)) continue;
    EXPECT_EQ(weft({"verify", "--home", restored}).exit, 0);
    EXPECT_EQ(list(weft.json({"list", "--home", restored}), "conversations"), expected);
  }
  EXPECT_GT(moments.killed(), 0);
}

// --- the pages ------------------------------------------------------------------------------

TEST(BackupFormat, TheWorkedExampleIsAManifest) {
  const std::string page = bytes_of(fs::path(WEFT_SOURCE_DIR) / "docs/formats/backup.md");
  const std::string fence = "```json manifest\n";
  const auto begin = page.find(fence) + fence.size();
  const std::string text = page.substr(begin, page.find("```", begin) - begin);
  const Result<cli::BackupManifest> manifest = cli::BackupManifest::parse(text);
  ASSERT_TRUE(manifest) << manifest.error().message;
  EXPECT_EQ(manifest->store_version, 9);
  EXPECT_EQ(manifest->files.size(), 1u);
  EXPECT_EQ(cli::BackupManifest::parse(manifest->to_text()).value(), *manifest);
  for (const char* name : {"weft_backup", "created_at", "head", "blake3", "bytes", "version"}) {
    std::string without = text;
    without.replace(without.find("\"" + std::string(name) + "\""), 2, "\"_");
    EXPECT_FALSE(cli::BackupManifest::parse(without)) << name;
  }
  std::string newer = text;
  newer.replace(newer.find("\"weft_backup\": 1"), 16, "\"weft_backup\": 2");
  EXPECT_THAT(cli::BackupManifest::parse(newer).error().message, HasSubstr("version 2"));
}

// Each command of docs/backup.md, one after another, prints the words that the page shows.
TEST(BackupPage, ShowsWhatHappens) {
  const Weft weft;
  ASSERT_EQ(weft({"ingest", weft.write("talk.txt", cli::sample_transcript())}).exit, 0);
  std::istringstream page(bytes_of(fs::path(WEFT_SOURCE_DIR) / "docs/backup.md"));
  std::map<std::string, std::string> environment = weft.environment;
  environment["PATH"] = "/usr/bin:/bin";
  bool inside = false;
  int commands = 0;
  Ran ran;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("```")) {
      inside = !inside && line == "```console";
    } else if (inside && line.starts_with("$ ")) {
      const std::string script = std::string("weft() { '") + WEFT_BINARY + "' \"$@\"; }; cd '" +
                                 weft.scratch().string() + "' && " + line.substr(2);
      ran = run_program("/bin/bash", {"-c", script}, environment);
      EXPECT_EQ(ran.exit, 0) << line << "\n" << ran;
      ++commands;
    } else if (inside) {
      std::istringstream words(line);
      for (std::string word; words >> word;) {
        if (word.find("…") != std::string::npos) continue;
        EXPECT_NE(ran.out.find(word), std::string::npos) << line << "\n" << ran;
      }
    }
  }
  EXPECT_GE(commands, 10);
}

}  // namespace
}  // namespace weft::test

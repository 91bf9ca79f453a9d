// weft keys: passphrases that are set, changed and removed, and keys that go to nobody else.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <random>
#include <thread>

#include "program.hpp"
#include "stdio_client.hpp"
#include "terminal_for_test.hpp"
#include "weft/cli/ingest/sample.hpp"

namespace weft::test {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class Keys : public testing::Test {
 protected:
  Keys() { EXPECT_EQ(weft({"init"}).exit, 0); }
  fs::path keyring() const { return weft.home() / "keyring.json"; }
  // A passphrase file that only its owner can read.
  std::string secret(std::string_view name, std::string_view words) const {
    const std::string path = weft.write(name, words);
    fs::permissions(path, fs::perms(0600));
    return path;
  }
  void use(const std::string& file) { weft.environment["WEFT_PASSPHRASE_FILE"] = file; }
  static unsigned mode(const fs::path& path) {
    struct stat info{};
    EXPECT_EQ(::stat(path.c_str(), &info), 0) << path;
    return info.st_mode & 0777u;
  }
  std::string owner() const { return text(weft.json({"keys", "show"}), "public_key"); }

  Weft weft;
};

TEST_F(Keys, APassphraseIsSetChangedAndRemoved) {
  const std::string key = owner();
  const std::string first = secret("first", "one\n"), second = secret("second", "two\n");
  const json::object set = weft.json({"keys", "passphrase", "--new-passphrase-file", first});
  EXPECT_EQ(text(set, "passphrase"), "set");
  EXPECT_EQ(mode(keyring()), 0600u);
  EXPECT_EQ(weft({"list", "--json"}).exit, 3) << "it needs a passphrase now";
  use(first);
  EXPECT_EQ(owner(), key);
  const json::object changed = weft.json({"keys", "passphrase", "--new-passphrase-file", second});
  EXPECT_EQ(text(changed, "passphrase"), "changed");
  EXPECT_EQ(weft({"keys", "show"}).exit, 3) << "the old passphrase opens nothing";
  use(second);
  EXPECT_EQ(owner(), key);
  EXPECT_EQ(text(weft.json({"keys", "passphrase", "--remove"}), "passphrase"), "removed");
  weft.environment.erase("WEFT_PASSPHRASE_FILE");
  EXPECT_EQ(owner(), key);
  const Ran again = weft({"keys", "passphrase", "--remove"});
  EXPECT_EQ(again.exit, 1) << again;
  EXPECT_THAT(again.err, HasSubstr("has no passphrase"));
}

TEST_F(Keys, APassphraseIsAskedForTwiceOnATerminal) {
  const std::string key = owner();
  {
    Terminal terminal({"keys", "passphrase"}, weft.environment);
    if (!terminal.works()) GTEST_SKIP() << "no pseudo terminals here";
    ASSERT_TRUE(terminal.shows("New passphrase: "));
    terminal.type("open sesame\n");
    ASSERT_TRUE(terminal.shows("Repeat the passphrase: "));
    terminal.type("open barley\n");
    ASSERT_TRUE(terminal.shows("differ"));
    EXPECT_EQ(terminal.wait(), 3);
    EXPECT_THAT(terminal.seen, Not(HasSubstr("sesame"))) << "nothing is echoed";
  }
  EXPECT_EQ(owner(), key) << "nothing was changed";
  Terminal terminal({"keys", "passphrase"}, weft.environment);
  ASSERT_TRUE(terminal.shows("New passphrase: "));
  terminal.type("open sesame\n");
  ASSERT_TRUE(terminal.shows("Repeat the passphrase: "));
  terminal.type("open sesame\n");
  ASSERT_TRUE(terminal.shows("set the passphrase"));
  EXPECT_EQ(terminal.wait(), 0);
  use(secret("words", "open sesame\n"));
  EXPECT_EQ(owner(), key);
}

TEST_F(Keys, AWrongPassphraseChangesNothing) {
  ASSERT_EQ(weft({"keys", "passphrase", "--new-passphrase-file", secret("first", "one\n")}).exit,
            0);
  std::ifstream file(keyring());
  const std::string before{std::istreambuf_iterator<char>(file), {}};
  use(secret("wrong", "not one\n"));
  EXPECT_EQ(weft({"keys", "passphrase", "--new-passphrase-file", secret("new", "x\n")}).exit, 3);
  std::ifstream now(keyring());
  EXPECT_EQ((std::string{std::istreambuf_iterator<char>(now), {}}), before);
}

TEST_F(Keys, Security13APassphraseFileThatOthersCanReadIsRefused) {
  const std::string open = weft.write("open", "one\n");
  fs::permissions(open, fs::perms(0644));
  const Ran set = weft({"keys", "passphrase", "--new-passphrase-file", open});
  EXPECT_EQ(set.exit, 3) << set;
  EXPECT_THAT(set.err, AllOf(HasSubstr("nothing was changed"), HasSubstr("chmod 600")));
  ASSERT_EQ(weft({"keys", "passphrase", "--new-passphrase-file", secret("first", "one\n")}).exit,
            0);
  use(open);
  const Ran used = weft({"keys", "show"});
  EXPECT_EQ(used.exit, 3) << used;
  EXPECT_THAT(used.err, HasSubstr("chmod 600"));
}

TEST_F(Keys, APassphraseNamesWhatNowNeedsAFile) {
  fs::create_directories(weft.scratch() / ".claude");
  std::ofstream(weft.scratch() / ".claude/settings.json")
      << R"({"hooks":{"Stop":[{"hooks":[{"type":"command","command":"/usr/bin/weft hook"}]}]}})";
  fs::create_directories(weft.scratch() / ".gemini");
  std::ofstream(weft.scratch() / ".gemini/settings.json")
      << R"({"mcpServers":{"weft":{"command":"weft","args":["mcp"]}}})";
  fs::create_directories(weft.scratch() / ".config/systemd/user");
  std::ofstream(weft.scratch() / ".config/systemd/user/weft.service")
      << "[Service]\nExecStart=/usr/bin/weft serve\n";
  std::ofstream(weft.scratch() / ".config/systemd/user/ready.service")
      << "[Service]\nEnvironment=WEFT_PASSPHRASE_FILE=/x\nExecStart=/usr/bin/weft serve\n";
  std::ofstream(weft.scratch() / ".config/systemd/user/other.service")
      << "[Service]\nExecStart=/usr/bin/true\n";
  const json::object set =
      weft.json({"keys", "passphrase", "--new-passphrase-file", secret("first", "one\n")});
  std::vector<std::string> found;
  for (const json::value& user : list(set, "needs_passphrase_file")) {
    found.push_back(text(user.as_object(), "kind") + " " + text(user.as_object(), "name"));
  }
  EXPECT_THAT(found, ElementsAre("hook Claude Code", "mcp Gemini CLI", "unit weft.service"));
  use(weft.path("first"));
  const Ran shown =
      weft({"keys", "passphrase", "--new-passphrase-file", secret("second", "two\n")});
  EXPECT_THAT(shown.out, AllOf(HasSubstr("WEFT_PASSPHRASE_FILE"), HasSubstr("weft.service"),
                               Not(HasSubstr("ready.service"))));
}

TEST_F(Keys, AChangeOfPassphraseThatIsKilledLosesNoKeyring) {
  const std::string key = owner();
  const std::string first = secret("first", "one\n"), second = secret("second", "two\n");
  const auto began = std::chrono::steady_clock::now();
  ASSERT_EQ(weft({"keys", "passphrase", "--new-passphrase-file", first}).exit, 0);
  const auto whole = 3 * (std::chrono::steady_clock::now() - began);
  const unsigned seed = test_seed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  std::string now = first;
  for (int i = 0; i < 15; ++i) {
    const std::string next = now == first ? second : first;
    use(now);
    StdioClient run(WEFT_BINARY, {"keys", "passphrase", "--new-passphrase-file", next},
                    weft.environment);
    std::this_thread::sleep_for(whole * (random() % 1000) / 1000);
    run.kill(SIGKILL);
    run.wait();
    if (weft({"keys", "show"}).exit != 0) use(now = next);
    ASSERT_EQ(owner(), key);
  }
}

TEST_F(Keys, Security13AnExportIsForItsOwnerAlone) {
  const std::string out = weft.path("metadata.json");
  const json::object written = weft.json({"keys", "export", "--layer", "metadata", "--out", out});
  EXPECT_EQ(text(written, "out"), out);
  EXPECT_EQ(mode(out), 0600u);
  EXPECT_EQ(weft({"keys", "show", "--keys", out}).exit, 0);
  EXPECT_EQ(weft({"keys", "export", "--layer", "content", "--out", out}).exit, 1) << "it exists";
  EXPECT_EQ(weft({"keys", "export", "--layer", "content", "--out", out, "--force"}).exit, 0);
  EXPECT_EQ(text(weft.json({"keys", "show", "--keys", out}), "kind"), "content");
}

TEST_F(Keys, Security13DoNotGoToAFileThatOthersCanRead) {
  const auto into = [&](const std::string& umask, const std::string& file) {
    const std::string script =
        "umask " + umask + "; '" + WEFT_BINARY + "' keys export --layer content > '" + file + "'";
    return run_program("/bin/sh", {"-c", script}, weft.environment);
  };
  const Ran refused = into("022", weft.path("open.json"));
  EXPECT_EQ(refused.exit, 3) << refused;
  EXPECT_THAT(refused.err, HasSubstr("--out FILE"));
  EXPECT_EQ(fs::file_size(weft.path("open.json")), 0u);
  EXPECT_EQ(into("077", weft.path("own.json")).exit, 0);
  EXPECT_GT(fs::file_size(weft.path("own.json")), 0u);
}

}  // namespace
}  // namespace weft::test

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <thread>
#include <vector>

#include "weft/crypto/keyring.hpp"

namespace weft::crypto {
namespace {

namespace fs = std::filesystem;

class KeyringFile : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = ::testing::TempDir() + "weft-keyring-XXXXXX";
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    home_ = name;
    path_ = home_ / "keyring.json";
  }
  void TearDown() override { fs::remove_all(home_); }

  static Keyring new_keyring() { return Keyring::create("Ada", 5, SealMode::thinking).value(); }
  void save() { ASSERT_TRUE(save_new_keyring(path_, new_keyring(), std::nullopt)); }
  void set_mode(mode_t mode) { ASSERT_EQ(::chmod(path_.c_str(), mode), 0); }
  Error load_error() const {
    const Result<Keyring> keyring = load_keyring(path_, {});
    EXPECT_FALSE(keyring);
    return keyring ? Error{} : keyring.error();
  }
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const fs::directory_entry& entry : fs::directory_iterator(home_)) {
      names.push_back(entry.path().filename().string());
    }
    return names;
  }
  std::string bytes() const {
    std::ifstream file(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  fs::path home_, path_;
};

TEST_F(KeyringFile, IsReadAsItWasWritten) {
  const Keyring keyring = new_keyring();
  ASSERT_TRUE(save_new_keyring(path_, keyring, std::nullopt));
  const Keyring read = load_keyring(path_, {}).value();
  EXPECT_EQ(read.owner_key(), keyring.owner_key());
  EXPECT_EQ(files(), std::vector<std::string>{"keyring.json"});
}

TEST_F(KeyringFile, UnderAPassphraseAsksForIt) {
  const Keyring keyring = new_keyring();
  ASSERT_TRUE(save_new_keyring(path_, keyring, "open sesame"));
  const Keyring read = load_keyring(path_, [] { return "open sesame"; }).value();
  EXPECT_EQ(read.owner_key(), keyring.owner_key());
  EXPECT_EQ(load_error().code, ErrorCode::denied);
}

TEST_F(KeyringFile, IsItsOwnersAloneWhateverTheUmask) {
  const mode_t before = ::umask(0);
  const Status saved = save_new_keyring(path_, new_keyring(), std::nullopt);
  ::umask(before);
  ASSERT_TRUE(saved);
  struct stat info{};
  ASSERT_EQ(::stat(path_.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 07777, 0600u);
}

TEST_F(KeyringFile, ThatIsNotThereIsNotFound) {
  EXPECT_EQ(load_error().code, ErrorCode::not_found);
}

TEST_F(KeyringFile, ThatOthersCanGetAtIsDeniedWithTheCure) {
  save();
  for (const mode_t mode : {0640, 0604, 0620, 0602, 0610, 0601, 0644, 0666, 0777}) {
    set_mode(mode);
    const Error error = load_error();
    EXPECT_EQ(error.code, ErrorCode::denied) << std::oct << mode;
    EXPECT_NE(error.message.find("chmod 600 '" + path_.string() + "'"), std::string::npos)
        << error.message;
  }
  for (const mode_t mode : {0600, 0400, 0700}) {
    set_mode(mode);
    EXPECT_TRUE(load_keyring(path_, {})) << std::oct << mode;
  }
}

TEST_F(KeyringFile, OfAnotherUserIsDenied) {
  save();
  constexpr uid_t kNobody = 65534;
  if (::geteuid() != 0 || ::chown(path_.c_str(), kNobody, kNobody) != 0) {
    GTEST_SKIP() << "only root can give a file away";
  }
  EXPECT_EQ(load_error().code, ErrorCode::denied);
}

TEST_F(KeyringFile, BehindALinkIsJudgedByTheFileThatIsRead) {
  save();
  const fs::path link = home_ / "link.json";
  fs::create_symlink(path_, link);
  EXPECT_TRUE(load_keyring(link, {}));
  set_mode(0644);
  EXPECT_EQ(load_keyring(link, {}).error().code, ErrorCode::denied);
}

TEST_F(KeyringFile, ThatIsADirectoryOrAPipeIsRefusedAtOnce) {
  ASSERT_EQ(::mkfifo(path_.c_str(), 0600), 0);
  EXPECT_EQ(load_error().code, ErrorCode::invalid_input);
  fs::remove(path_);
  fs::create_directory(path_);
  EXPECT_EQ(load_error().code, ErrorCode::invalid_input);
}

TEST_F(KeyringFile, ThatIsNoKeyringIsRefusedByItsName) {
  for (const std::string& text : {std::string(), std::string("hello"), std::string(1 << 20, ' ')}) {
    std::ofstream(path_) << text;
    set_mode(0600);
    const Error error = load_error();
    EXPECT_EQ(error.code, ErrorCode::invalid_input);
    EXPECT_NE(error.message.find(path_.string()), std::string::npos) << error.message;
  }
}

TEST_F(KeyringFile, IsNeverOverwritten) {
  save();
  const std::string before = bytes();
  const Status again = save_new_keyring(path_, new_keyring(), std::nullopt);
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, ErrorCode::invalid_input);
  EXPECT_EQ(bytes(), before);
  EXPECT_EQ(files().size(), 1u);
}

TEST_F(KeyringFile, IsNotWrittenThroughALinkThatLeadsNowhere) {
  fs::create_symlink(home_ / "elsewhere", path_);
  const Status saved = save_new_keyring(path_, new_keyring(), std::nullopt);
  ASSERT_FALSE(saved);
  EXPECT_EQ(saved.error().code, ErrorCode::invalid_input);
  EXPECT_FALSE(fs::exists(home_ / "elsewhere"));
}

TEST_F(KeyringFile, NeedsADirectoryThatIsThere) {
  const Status saved = save_new_keyring(home_ / "no" / "keyring.json", new_keyring(), std::nullopt);
  ASSERT_FALSE(saved);
  EXPECT_EQ(saved.error().code, ErrorCode::not_found);
}

TEST_F(KeyringFile, OfManyFirstUsesAtOnceIsOneAndAllReadIt) {
  std::atomic<int> made = 0;
  std::vector<PublicKey> keys(8);
  {
    std::vector<std::jthread> threads;
    threads.reserve(keys.size());
    for (PublicKey& key : keys) {
      threads.emplace_back([&] {
        const Status saved = save_new_keyring(path_, new_keyring(), std::nullopt);
        if (saved) {
          ++made;
        } else {
          EXPECT_EQ(saved.error().code, ErrorCode::invalid_input);
        }
        key = load_keyring(path_, {}).value().owner_key();
      });
    }
  }
  EXPECT_EQ(made, 1);
  EXPECT_EQ(keys, std::vector<PublicKey>(keys.size(), keys.front()));
  EXPECT_EQ(files().size(), 1u);
}

// A limit on the size of files stands for a full disk: the write breaks off midway.
TEST_F(KeyringFile, LeavesNothingBehindWhenTheDiskIsFull) {
  const Keyring keyring = new_keyring();
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{.rlim_cur = 100, .rlim_max = before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const Status saved = save_new_keyring(path_, keyring, std::nullopt);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, handler);
  ASSERT_FALSE(saved);
  EXPECT_EQ(saved.error().code, ErrorCode::unavailable);
  EXPECT_TRUE(files().empty());
}

// --- another passphrase --------------------------------------------------------------------

TEST_F(KeyringFile, IsReplacedByItselfUnderAnotherPassphrase) {
  const Keyring keyring = new_keyring();
  ASSERT_TRUE(save_new_keyring(path_, keyring, std::nullopt));
  const auto with = [](std::string words) {
    return [words = std::move(words)]() -> Result<std::string> { return words; };
  };
  ASSERT_TRUE(replace_keyring(path_, keyring, "first"));
  EXPECT_EQ(load_keyring(path_, with("first")).value().owner_key(), keyring.owner_key());
  ASSERT_TRUE(replace_keyring(path_, keyring, "second"));
  EXPECT_EQ(load_keyring(path_, with("first")).error().code, ErrorCode::denied);
  EXPECT_TRUE(load_keyring(path_, with("second")));
  ASSERT_TRUE(replace_keyring(path_, keyring, std::nullopt));
  EXPECT_TRUE(load_keyring(path_, {}));
  struct stat info{};
  ASSERT_EQ(::stat(path_.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777u, 0600u);
  EXPECT_EQ(files(), std::vector<std::string>{"keyring.json"});
}

TEST_F(KeyringFile, OfAnotherOwnerIsNotReplaced) {
  save();
  const std::string before = bytes();
  const Status replaced = replace_keyring(path_, new_keyring(), "words");
  ASSERT_FALSE(replaced);
  EXPECT_EQ(replaced.error().code, ErrorCode::invalid_input);
  EXPECT_EQ(bytes(), before);
  fs::remove(path_);
  EXPECT_EQ(replace_keyring(path_, new_keyring(), "words").error().code, ErrorCode::not_found);
  EXPECT_FALSE(fs::exists(path_));
}

// The file of somebody else may name this owner.
TEST_F(KeyringFile, OfAnotherWhoTrustsThisOwnerIsNotReplaced) {
  const Keyring keyring = new_keyring();
  const Keyring other = Keyring::create("Grace", 5, SealMode::thinking).value();
  const Keyring trusting = other.with(TrustedOwner{"ada", keyring.owner_key()}).value();
  ASSERT_TRUE(save_new_keyring(path_, trusting, std::nullopt));
  EXPECT_EQ(replace_keyring(path_, keyring, std::nullopt).error().code, ErrorCode::invalid_input);
  EXPECT_TRUE(replace_keyring(path_, other, std::nullopt)) << "with nobody in it";
}

TEST_F(KeyringFile, BehindALinkIsReplacedWhereItLies) {
  const Keyring keyring = new_keyring();
  const fs::path real = home_ / "real.json";
  ASSERT_TRUE(save_new_keyring(real, keyring, std::nullopt));
  fs::create_symlink(real, path_);
  ASSERT_TRUE(replace_keyring(path_, keyring, "words"));
  EXPECT_TRUE(fs::is_symlink(path_));
  EXPECT_EQ(load_keyring(real, {}).error().code, ErrorCode::denied) << "it has a passphrase now";
}

}  // namespace
}  // namespace weft::crypto

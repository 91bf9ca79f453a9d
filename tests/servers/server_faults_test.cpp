// A server whose disk is full, or whose clock is set back, under several writers. A library that is
// preloaded into it makes the faults (faults.c), so nothing has to be mounted.
#include <fstream>

#include "becomes_true.hpp"
#include "own_server_for_test.hpp"
#include "writers_for_test.hpp"

namespace weft::test {
namespace {

namespace fs = std::filesystem;

class ServerFaults : public testing::Test {
 protected:
  void SetUp() override {
    if (!postgres::is_built()) GTEST_SKIP() << "built without libpq";
    ASSERT_TRUE(store::open_store(server_.url(), store::Create::yes));
  }
  static std::string library() {
    // The server runs as another user, who must be able to read it.
    const std::string path = "/tmp/weft-faults-" + std::to_string(::getpid()) + ".so";
    const std::string source = std::string(WEFT_SOURCE_DIR) + "/tests/servers/faults.c";
    EXPECT_EQ(std::system(("cc -shared -fPIC -O1 -o " + path + " " + source).c_str()), 0);
    fs::permissions(path, fs::perms::owner_all | fs::perms::group_read | fs::perms::others_read);
    return path;
  }
  void TearDown() override { fs::remove(library_); }
  fs::path fault(const std::string& name) const { return fs::path(server_.directory()) / name; }
  void make(const std::string& name) const { std::ofstream(fault(name)) << "yes"; }
  void end(const std::string& name) const { fs::remove(fault(name)); }

  const std::string library_ = library();
  const OwnServer server_{"", library_};
  Acknowledged all_;
};

TEST_F(ServerFaults, AFullDiskFailsCommitsAndLosesNone) {
  const auto store = store::open_store(server_.url(), store::Create::no).value();
  Writers writers(server_.url(), 3, all_);
  ASSERT_TRUE(writers.commit(10));
  make("full");
  store::Talk talk("full");
  std::string message;
  EXPECT_TRUE(becomes_true([&] {
    talk.says(std::string(20'000, 'x') + std::to_string(message.size()));
    const store::Batch batch = talk.batch();
    const auto committed = store->writer().commit(batch);
    if (committed) all_.note(batch);
    else if (committed.error().code == ErrorCode::unavailable) message = committed.error().message;
    return !committed;
  }));
  EXPECT_NE(message.find("out of disk"), std::string::npos) << message;
  EXPECT_NE(message.find("nothing was changed"), std::string::npos) << message;
  EXPECT_TRUE(store->conversations({})) << "questions are answered all the same";
  end("full");
  EXPECT_TRUE(writers.commit(10)) << "they go on when there is room";
  writers.stop();
  all_.check(server_.url());
}

TEST_F(ServerFaults, NothingDependsOnTheClockOfTheServer) {
  Writers writers(server_.url(), 3, all_);
  ASSERT_TRUE(writers.commit(10));
  const std::int64_t now = server_.ask("SELECT CAST(extract(epoch FROM now()) AS BIGINT)");
  make("yesterday");
  const std::int64_t set_back = server_.ask("SELECT CAST(extract(epoch FROM now()) AS BIGINT)");
  ASSERT_LT(set_back, now - 80'000) << "the clock is set back";
  ASSERT_TRUE(writers.commit(10));
  server_.kill();
  server_.start_again();
  ASSERT_TRUE(writers.commit(10));
  end("yesterday");
  ASSERT_TRUE(writers.commit(10));
  writers.stop();
  all_.check(server_.url());
}

}  // namespace
}  // namespace weft::test

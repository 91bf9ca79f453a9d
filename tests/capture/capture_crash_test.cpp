// kill -9 while a session is recorded: acknowledged blocks are stored, and recording resumes.
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <random>
#include <thread>

#include "web_for_test.hpp"
#include "weft/capture/agent/recorder.hpp"
#include "weft/store/open.hpp"

namespace weft {
namespace {

using transcript::Role;

struct Home {
  Home() : keyring(*crypto::Keyring::create("Ada", 1'000, crypto::SealMode::thinking)) {}
  std::unique_ptr<store::Store> open() const {
    auto store = store::open_store(dir / "weft.db", store::Create::yes);
    EXPECT_TRUE(store) << store.error().message;
    return *std::move(store);
  }
  ingest::Options options() const {
    ingest::Options options;
    options.clock = [time = Millis{1'770'000'000'000}]() mutable { return ++time; };
    return options;
  }

  TempDir dir;
  crypto::Keyring keyring;
};

// Pushes blocks until it is killed, and prints each that was acknowledged.
[[noreturn]] void record(const Home& home, int round, int acknowledge) {
  const auto store = home.open();
  capture::Recorder recorder(*store, home.keyring, home.options());
  if (!recorder.start("s")) ::_exit(1);
  for (int i = 0;; ++i) {
    const std::string words = std::to_string(round) + "." + std::to_string(i);
    const Role role = i % 2 == 0 ? Role::human : Role::assistant;
    const Result<Cid> recorded = recorder.record("s", {{"type", "text"}, {"text", words}}, role);
    if (!recorded) ::_exit(2);
    const std::string line = recorded->str();
    if (::write(acknowledge, line.data(), line.size()) < 0) ::_exit(3);
  }
}

std::vector<Cid> read_acknowledged(int fd) {
  std::string text;
  std::array<char, 4096> buffer;
  for (ssize_t got; (got = ::read(fd, buffer.data(), buffer.size())) > 0;) {
    text.append(buffer.data(), static_cast<std::size_t>(got));
  }
  const std::size_t size = Cid().str().size();
  std::vector<Cid> cids;
  for (std::size_t at = 0; at + size <= text.size(); at += size) {
    cids.push_back(Cid::parse(text.substr(at, size)).value());
  }
  return cids;
}

TEST(CaptureCrash, WhatWasAcknowledgedIsThereAndTheSessionGoesOn) {
  const Home home;
  const unsigned seed = test_seed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  home.open();
  std::size_t acknowledged = 0;
  for (int round = 0; round < 25; ++round) {
    std::array<int, 2> pipe{};
    ASSERT_EQ(::pipe(pipe.data()), 0);
    const pid_t pid = ::fork();
    if (pid == 0) {
      ::close(pipe[0]);
      record(home, round, pipe[1]);
    }
    ::close(pipe[1]);
    // In most rounds something was acknowledged, however slow the machine is.
    pollfd first{.fd = pipe[0], .events = POLLIN, .revents = 0};
    if (round % 5 != 0) ASSERT_EQ(::poll(&first, 1, 30'000), 1);
    std::this_thread::sleep_for(std::chrono::milliseconds(random() % 150));
    ::kill(pid, SIGKILL);
    const std::vector<Cid> cids = read_acknowledged(pipe[0]);
    ::close(pipe[0]);
    int status = 0;
    ::waitpid(pid, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status)) << "it gave up by itself: " << WEXITSTATUS(status);
    acknowledged += cids.size();
    const auto store = home.open();
    for (const Cid& cid : cids) EXPECT_TRUE(store->has(cid).value()) << "round " << round;
  }
  ASSERT_GE(acknowledged, 20u);

  const auto store = home.open();
  capture::Recorder recorder(*store, home.keyring, home.options());
  ASSERT_TRUE(recorder.start("s"));
  ASSERT_TRUE(recorder.record("s", {{"type", "text"}, {"text", "the end"}}, Role::human));
  const Cid conversation = recorder.stop("s").value();
  // At most one block of each round was on disk and not acknowledged yet.
  EXPECT_GE(store->conversation(conversation)->block_count, acknowledged + 1);
  EXPECT_LE(store->conversation(conversation)->block_count, acknowledged + 26);
  const auto answer = query::verify(*store, &home.keyring, {});
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->at("verdict"), "valid") << pretty_json(*answer);
}

}  // namespace
}  // namespace weft

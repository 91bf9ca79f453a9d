// Runs `weft watch` as a child process on folders of its own, and checks the resulting web.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "becomes_true.hpp"
#include "program.hpp"
#include "session_for_test.hpp"
#include "stdio_client.hpp"
#include "weft/store/open.hpp"
#include "weft/store/web_of_for_test.hpp"

namespace weft::test {

namespace fs = std::filesystem;

// How often its threads were switched to and from.
inline std::uint64_t switches(pid_t pid) {
  std::uint64_t sum = 0;
  for (const auto& task : fs::directory_iterator("/proc/" + std::to_string(pid) + "/task")) {
    std::ifstream status(task.path() / "status");
    for (std::string line; std::getline(status, line);) {
      if (line.find("ctxt_switches:") == std::string::npos) continue;
      sum += std::stoull(line.substr(line.find(':') + 1));
    }
  }
  return sum;
}

// What it still has to do comes to an end, and then two seconds pass in which no thread wakes up.
inline bool comes_to_rest(pid_t pid) {
  return becomes_true([&] {
    const std::uint64_t before = switches(pid);
    std::this_thread::sleep_for(std::chrono::seconds(2));
    return switches(pid) == before;
  });
}

class Watching : public testing::Test {
 protected:
  Watching() {
    fs::create_directories(projects());
    EXPECT_EQ(weft({"init"}).exit, 0);
  }

  fs::path projects() const { return weft.scratch() / "projects"; }
  std::vector<std::string> words(std::string command) const {
    return {std::move(command), "--json", "--source", "claude-code:" + projects().string()};
  }
  // Waits until it has ingested everything, and follows.
  std::unique_ptr<StdioClient> watch() const {
    auto client = std::make_unique<StdioClient>(WEFT_BINARY, words("watch"), weft.environment);
    EXPECT_EQ(text(client->next(), "event"), "following");
    return client;
  }
  static void append(const fs::path& path, std::string_view bytes) {
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary | std::ios::app) << bytes;
  }

  static std::set<Cid> web_in(const fs::path& home) {
    const auto store = store::open_store(home / "weft.db", store::Create::no);
    if (!store) return {};
    return store::web_of(**store);
  }
  std::set<Cid> web() const { return web_in(weft.home()); }
  // A home with the same keyring, in which all of `folder` is ingested at once. Existing content
  // stays.
  std::set<Cid> cold_web(const fs::path& folder) const {
    const fs::path home = weft.scratch() / "cold";
    if (!fs::exists(home)) {
      fs::create_directories(home);
      fs::copy_file(weft.home() / "keyring.json", home / "keyring.json");
    }
    const Ran ran = weft({"ingest", "--home", home.string(), "--source",
                          "claude-code:" + folder.string(), "--json"});
    EXPECT_EQ(ran.exit, 0) << ran;
    return web_in(home);
  }
  // Waits until the web is this one, and looks that nothing is wrong with it.
  void expect_web(const std::set<Cid>& expected) const {
    EXPECT_TRUE(becomes_true([&] { return web() == expected; }));
    const std::set<Cid> now = web();
    std::size_t missing = 0, beyond = 0;
    for (const Cid& cid : expected) missing += now.contains(cid) ? 0 : 1;
    for (const Cid& cid : now) beyond += expected.contains(cid) ? 0 : 1;
    EXPECT_EQ(missing, 0u) << "of " << expected.size();
    EXPECT_EQ(beyond, 0u) << "over " << expected.size();
    const Ran verified = weft({"verify"});
    EXPECT_EQ(verified.exit, 0) << verified.out << verified.err;
  }
  static void expect_clean_end(StdioClient& client, int signal = SIGTERM) {
    client.kill(signal);
    EXPECT_EQ(client.wait(), 0);
  }

  Weft weft;
};

// A session's name by number: a UUID, as Claude Code names files.
inline std::string session_name(int number) {
  std::string digits = std::to_string(number);
  digits.insert(0, 12 - digits.size(), '0');
  return "0b0e0000-0000-4000-8000-" + digits;
}

}  // namespace weft::test

// Sessions of Claude Code on a machine, and the web that weft makes of them.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "program.hpp"
#include "session_for_test.hpp"
#include "web_for_test.hpp"

namespace weft::test {

namespace fs = std::filesystem;

inline const std::string kOne = "11111111-1111-4111-8111-111111111111";
inline const std::string kTwo = "22222222-2222-4222-8222-222222222222";

// Where Claude Code would have put it.
inline std::string place(const Weft& weft, const std::string& session,
                         const std::string& folder = "-home-ada-looms") {
  const fs::path directory = weft.scratch() / ".claude/projects" / folder;
  fs::create_directories(directory);
  return directory / (session + ".jsonl");
}

inline void append(const std::string& path, std::string_view text) {
  std::ofstream(path, std::ios::binary | std::ios::app) << text;
}

inline Session long_session(const std::string& id = kOne) {
  Session session(id);
  for (int i = 0; i < 4; ++i) {
    const std::string n = std::to_string(i);
    session.human("question " + n);
    session.thinks("thinking about " + n);
    session.calls("a" + n, "Bash", "ls " + n);
    session.calls("b" + n, "Read", "file " + n);
    session.prints("b" + n, "contents " + n);
    session.prints("a" + n, "listing " + n);
    session.thinks("so " + n);
    session.says("answer " + n);
  }
  return session;
}

// Every thought of every conversation, checkpoints and facts aside.
inline std::set<std::string> web_of(const Weft& weft) {
  std::set<std::string> cids;
  for (const json::value& row : list(weft.json({"list", "--limit", "100000"}), "conversations")) {
    const Ran ran = weft({"export", text(row.get_object(), "cid"), "--as", "thoughts"});
    EXPECT_EQ(ran.exit, 0) << ran;
    std::istringstream lines(ran.out);
    for (std::string line; std::getline(lines, line);) {
      const json::object thought = parse_json(line)->value.get_object();
      const std::string type = text(thought, "type");
      if (type != "checkpoint" && !type.ends_with("/conversation_facts") &&
          !type.ends_with("/usage")) {
        cids.insert(text(thought, "cid"));
      }
    }
  }
  return cids;
}

// Of several homes: one keyring, so that equal words give equal names.
inline void share_keyring(const Weft& from, const Weft& to) {
  ASSERT_EQ(from({"init"}).exit, 0);
  fs::create_directories(to.home());
  fs::copy_file(from.home() / "keyring.json", to.home() / "keyring.json");
}

class Sources : public testing::Test {
 protected:
  json::object ingest(std::vector<std::string> more = {}) {
    more.insert(more.begin(), "ingest");
    return weft.json(more);
  }
  std::vector<std::string> reasons(const json::object& report) {
    std::vector<std::string> all;
    for (const json::value& skip : list(report, "skipped")) {
      all.push_back(text(skip.get_object(), "reason"));
    }
    return all;
  }
  void expect_valid() { EXPECT_EQ(weft({"verify"}).exit, 0) << weft({"verify"}); }

  Weft weft;
};

}  // namespace weft::test

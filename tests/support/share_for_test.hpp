// Machines of one person, and remotes between them.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sources_for_test.hpp"
#include "weft/postgres/postgres_for_test.hpp"

namespace weft::test {

// A home with sessions of its own, and remotes.
class Machine : public Weft {
 public:
  // Adds `session` to its file as Claude Code would, and ingests it.
  void ingests(const Session& session) const {
    const std::string path = place(*this, session.id());
    fs::remove(path);
    append(path, session.text());
    const Ran ran = (*this)({"ingest", path});
    EXPECT_EQ(ran.exit, 0) << ran;
  }
  // The remotes of its config.json, each with every project.
  void has_remotes(const std::vector<std::pair<std::string, std::string>>& remotes,
                   const std::string& projects = R"(["*"])", bool sync = false) const {
    std::string text;
    for (const auto& [name, url] : remotes) {
      text += (text.empty() ? "" : ", ") + ("\"" + name + R"(": {"url": ")") + url +
              R"(", "projects": )" + projects + (sync ? R"(, "sync": true})" : "}");
    }
    fs::create_directories(home());
    write("home/config.json", R"({"remotes": {)" + text + "}}");
  }
  json::object push(const std::string& remote, int exit = 0,
                    const std::vector<std::string>& more = {}) const {
    return runs("push", remote, exit, more, {"--yes"});
  }
  json::object pull(const std::string& remote, int exit = 0) const {
    return runs("pull", remote, exit, {}, {});
  }
  bool verifies() const { return (*this)({"verify"}).exit == 0; }

 private:
  json::object runs(const std::string& command, const std::string& remote, int exit,
                    std::vector<std::string> more, const std::vector<std::string>& always) const {
    more.insert(more.begin(), {command, remote, "--json"});
    more.insert(more.end(), always.begin(), always.end());
    const Ran ran = (*this)(more);
    EXPECT_EQ(ran.exit, exit) << ran;
    return ran.object();
  }
};

// Two machines with one keyring, a folder that both see, a store that both can open, and one on a
// server.
class Sharing : public testing::Test {
 protected:
  Sharing() {
    fs::create_directories(shared.scratch() / "cloud");
    share_keyring(one, two);
    std::vector<std::pair<std::string, std::string>> remotes = {
        {"folder", "folder:" + folder().string()}, {"store", "sqlite:" + shared.path("shared.db")}};
    if (schema) remotes.emplace_back("server", schema->text());
    for (const Machine* machine : {&one, &two}) machine->has_remotes(remotes);
  }

  static std::optional<postgres::TestSchema> make_schema() {
    if (!postgres::is_built()) return std::nullopt;
    return std::optional<postgres::TestSchema>(std::in_place);
  }

  fs::path folder() const { return shared.scratch() / "cloud/weft"; }
  std::vector<fs::path> files() const {
    std::vector<fs::path> all;
    for (const auto& entry : fs::directory_iterator(folder() / "conversations")) {
      all.push_back(entry.path());
    }
    std::ranges::sort(all);
    return all;
  }
  // The file of a session of the first machine.
  fs::path file_of(const std::string& session) const {
    const std::string cid = cid_of(session);
    for (const fs::path& path : files()) {
      if (path.filename().string().starts_with(cid.substr(11))) return path;
    }
    ADD_FAILURE() << "no file of " << session;
    return {};
  }
  std::string cid_of(const std::string& session) const {
    for (const json::value& row : list(one.json({"list"}), "conversations")) {
      if (row.at("session_id") == session.c_str()) return text(row.get_object(), "cid");
    }
    ADD_FAILURE() << "no session " << session;
    return {};
  }

  const Weft shared;  // the place that both see
  // The web on a server; empty in a build without libpq.
  const std::optional<postgres::TestSchema> schema = make_schema();
  const Machine one, two;
};

// The names of those that this build knows.
inline std::vector<const char*> every_remote() {
  std::vector<const char*> all = {"folder", "store"};
  if (postgres::is_built()) all.push_back("server");
  return all;
}

inline Session short_session(const std::string& id, const std::string& words = "why?") {
  Session session(id, id.substr(0, 4));
  session.human(words);
  session.thinks("hm");
  session.says("because of " + words);
  return session;
}

}  // namespace weft::test

// OwnServer: a PostgreSQL server of one test, which may be killed, frozen and started again.
//
// It does not flush to the disk, except in `./test long`: what a killed process has handed to the
// operating system stays. Commits wait until they have been handed over (synchronous_commit), as
// on any server.
#pragma once

#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>

#include "weft/postgres/database.hpp"

namespace weft::test {

class OwnServer {
 public:
  // Settings as the server's configuration has them: "NAME=VALUE NAME=VALUE".
  explicit OwnServer(const std::string& settings = "", const std::string& preload = "")
      : directory_(new_directory()), preload_(preload) {
    run("start", std::string(test_is_long() ? "fsync=on full_page_writes=on " : "") + settings);
  }
  // One that follows `primary`.
  explicit OwnServer(const OwnServer& primary) : directory_(new_directory()) {
    run("standby", primary.directory());
  }
  OwnServer& operator=(const OwnServer&) = delete;
  ~OwnServer() { std::ignore = call("stop", ""); }

  // Every process of it, with SIGKILL.
  void kill() const { run("kill"); }
  void start_again() const { run("again"); }
  void freeze() const { run("freeze"); }
  void thaw() const { run("thaw"); }
  void promote() const { run("promote"); }

  // Of its socket; also where the library that was preloaded looks for the faults to make.
  const std::string& directory() const { return directory_; }
  std::string url() const { return url_of(directory_); }
  static std::string url_of(const std::string& directory) {
    return "postgres://weft@/weft?schema=web&host=" + directory;
  }
  sql::Database open() const {
    return postgres::open_database(postgres::Url::parse(url()).value()).value();
  }
  // What a statement gives: the first column of its first row, a number.
  std::int64_t ask(sql::Sql sql) const {
    const sql::Database database = open();
    sql::Rows rows = database.query(sql);
    return rows.next() ? rows.integer(0) : -1;
  }

 private:
  static std::string new_directory() {
    static std::atomic<int> made = 0;
    return "/tmp/weft-own-" + std::to_string(::getpid()) + "-" + std::to_string(++made);
  }
  int call(const std::string& action, const std::string& more) const {
    const std::string tool = std::string(WEFT_SOURCE_DIR) + "/tools/postgres_for_test";
    const std::string preload = preload_.empty() ? "" : "WEFT_POSTGRES_PRELOAD='" + preload_ + "' ";
    return std::system(
        (preload + "'" + tool + "' " + action + " '" + directory_ + "' " + more).c_str());
  }
  void run(const std::string& action, const std::string& more = "") const {
    if (call(action, more) != 0) {
      throw std::runtime_error("the PostgreSQL of this test does not " + action);
    }
  }

  const std::string directory_, preload_;
};

}  // namespace weft::test

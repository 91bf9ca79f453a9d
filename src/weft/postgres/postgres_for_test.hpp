// A PostgreSQL for tests: a server, and an empty schema for each test.
//
//   const TestSchema schema;
//   const sql::Database database = open_database(schema.url()).value();
//
// ctest starts one server for all tests and names its directory in WEFT_TEST_POSTGRES
// (cmake/weft_module.cmake). A test program that is run by hand starts one of its own and stops it
// when it ends. Without PostgreSQL installed, tests fail.
#pragma once

#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "weft/postgres/database.hpp"

namespace weft::postgres {

class TestServer {
 public:
  TestServer() {
    const char* running = std::getenv("WEFT_TEST_POSTGRES");
    if (running != nullptr) {
      directory_ = running;
      return;
    }
    directory_ = "/tmp/weft-postgres-" + std::to_string(::getpid());
    is_ours_ = true;
    if (run("start") != 0) throw std::runtime_error("the PostgreSQL of the tests does not start");
  }
  TestServer(const TestServer&) = delete;
  TestServer& operator=(const TestServer&) = delete;
  ~TestServer() {
    if (is_ours_) run("stop");
  }

  // The directory of its socket.
  const std::string& directory() const { return directory_; }

 private:
  int run(const char* action) const {
    const std::string tool = std::string(WEFT_SOURCE_DIR) + "/tools/postgres_for_test";
    return std::system(("'" + tool + "' " + action + " '" + directory_ + "'").c_str());
  }

  std::string directory_;
  bool is_ours_ = false;
};

inline const TestServer& test_server() {
  static const TestServer server;
  return server;
}

class TestSchema {
 public:
  TestSchema() {
    static std::atomic<int> made = 0;
    name_ = "t" + std::to_string(::getpid()) + "_" + std::to_string(++made);
    clear();
  }
  TestSchema(const TestSchema&) = delete;
  TestSchema& operator=(const TestSchema&) = delete;
  ~TestSchema() { run("DROP SCHEMA " + name_ + " CASCADE"); }

  void clear() const { run("DROP SCHEMA IF EXISTS " + name_ + " CASCADE; CREATE SCHEMA " + name_); }

  const std::string& name() const { return name_; }
  std::string text(const std::string& host = test_server().directory()) const {
    return "postgres://weft@/weft?host=" + host + "&schema=" + name_;
  }
  Url url() const { return Url::parse(text()).value(); }

 private:
  void run(const std::string& sql) const {
    const Status status = open_database(url()).value().script(sql.c_str());
    if (!status) throw std::runtime_error(status.error().message);
  }

  std::string name_;
};

}  // namespace weft::postgres

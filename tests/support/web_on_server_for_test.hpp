// A web on a server, and roles of that server which go with it.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "share_for_test.hpp"

namespace weft::test {

class WebOnServer : public Sharing {
 protected:
  void SetUp() override {
    if (!schema) GTEST_SKIP() << "built without libpq";
  }
  // Roles are the whole server's: those whose names begin like the schema go.
  void TearDown() override {
    if (!schema) return;
    const std::string text =
        "SELECT rolname FROM pg_roles WHERE rolname ~ '^" + schema->name() + "_'";
    for (const std::string& role : column_of(text)) {
      run("REASSIGN OWNED BY " + role + " TO weft");  // the schema may be its
      run("DROP OWNED BY " + role + " CASCADE");
      run("DROP ROLE " + role);
    }
  }

  // The web, as a role of the server sees it.
  std::string url(const std::string& role = "weft") const {
    return "postgres://" + role + "@/weft?host=" + postgres::test_server().directory() +
           "&schema=" + schema->name();
  }
  static postgres::Url parsed(const std::string& text) {
    return postgres::Url::parse(text).value();
  }
  void add_role(const std::string& name, const std::string& rights) const {
    run("CREATE ROLE " + name + " " + rights);
  }
  // As the owner of everything, in the schema.
  void run(const std::string& sql) const {
    const Status done = postgres::open_database(parsed(url())).value().script(sql.c_str());
    ASSERT_TRUE(done) << sql << ": " << done.error().message;
  }
  // What the server says to a statement; empty if it did it.
  static std::string refusal(const std::string& store, const std::string& sql) {
    const Status done = postgres::open_database(parsed(store)).value().script(sql.c_str());
    return done ? "" : done.error().message;
  }
  // The first column of an answer, as text. Statements of the program are literals: this one is put
  // into a table first.
  std::vector<std::string> column_of(const std::string& sql) const {
    const auto database = postgres::open_database(parsed(url())).value();
    const std::string into =
        "DROP TABLE IF EXISTS pg_temp.answer; CREATE TEMPORARY TABLE answer AS SELECT "
        "row_number() OVER () AS n, a.*::text AS line FROM (" +
        sql + ") AS a";
    const Status done = database.script(into.c_str());
    EXPECT_TRUE(done) << sql << ": " << (done ? "" : done.error().message);
    std::vector<std::string> lines;
    auto rows = database.query("SELECT trim(BOTH '()\"' FROM line) FROM pg_temp.answer ORDER BY n");
    while (rows.next()) lines.emplace_back(rows.bytes(0));
    return lines;
  }
};

}  // namespace weft::test

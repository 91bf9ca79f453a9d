// Runs weft as a person would: the real binary, with arguments, an environment of its
// own, a home of its own.
//
//   Weft weft;
//   const Ran ran = weft({"ingest", fixture("talk.txt"), "--json"});
//   EXPECT_EQ(ran.exit, 0) << ran;
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "weft/base/json.hpp"

namespace weft::test {

struct Ran {
  int exit = -1;  // the exit code; the negative signal where one ended it
  std::string out, err;

  // stdout as one JSON document with one line end after it, or a failure of the test.
  json::value document() const;
  json::object object() const;
};
std::ostream& operator<<(std::ostream& stream, const Ran& ran);

// Starts `program` and waits for its end. The environment is `environment` and nothing
// else.
Ran run_program(const std::string& program, const std::vector<std::string>& arguments,
                const std::map<std::string, std::string>& environment, std::string_view input = {});

// weft with a scratch directory that holds its home; both go when it goes.
class Weft {
 public:
  Weft();
  Weft(const Weft&) = delete;
  Weft& operator=(const Weft&) = delete;
  ~Weft();

  Ran operator()(const std::vector<std::string>& arguments, std::string_view input = {}) const;
  // The same with --json, and the document that it printed.
  json::object json(std::vector<std::string> arguments) const;

  const std::filesystem::path& scratch() const { return scratch_; }
  std::filesystem::path home() const { return scratch_ / "home"; }
  // A file in the scratch directory. Returns its path.
  std::string write(std::string_view name, std::string_view text) const;
  std::string path(std::string_view name) const { return (scratch_ / name).string(); }

  std::map<std::string, std::string> environment;

 private:
  std::filesystem::path scratch_;
};

// Members that must be there; copies, since answers are often temporary.
std::string text(const json::object& object, std::string_view key);
std::int64_t number(const json::object& object, std::string_view key);
json::array list(const json::object& object, std::string_view key);

// The names of an object's members, in order.
std::vector<std::string> keys(const json::object& object);

}  // namespace weft::test

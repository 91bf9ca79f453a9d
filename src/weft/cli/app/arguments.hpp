// What a command takes, said in words; the parsing is CLI11's. Its header alone costs six
// seconds to compile, so commands do not see it: arguments.cpp and program.cpp do.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace weft::cli {

// What else is to be said of an argument.
struct Detail {
  std::string_view value{};  // what stands for its value in the help: "N", "FILE"
  bool required = false;
  std::vector<std::string> one_of{};  // the values there are
  // Empty if the value will do, else what is wrong with it.
  std::function<std::string(const std::string&)> check{};
};

// What is wrong with a whole number, or nothing. Left to itself CLI11 takes -1 for the
// largest there is, and 010 for 8.
std::string check_number(const std::string& text);

class Arguments {
 public:
  explicit Arguments(CLI::App& app) : app_(app) {}

  // "--name" is an option, "NAME" stands in its place. `into` outlives the parsing; what
  // is not given is left as it is.
  void add(std::string_view name, std::string& into, std::string_view help,
           const Detail& detail = {});
  void add(std::string_view name, std::optional<std::string>& into, std::string_view help,
           const Detail& detail = {});
  void add(std::string_view name, std::vector<std::string>& into, std::string_view help,
           const Detail& detail = {});
  void add(std::string_view name, std::uint64_t& into, std::string_view help,
           const Detail& detail = {});
  void add(std::string_view name, std::optional<std::uint64_t>& into, std::string_view help,
           const Detail& detail = {});
  void flag(std::string_view name, bool& into, std::string_view help);

  // A command with actions (`weft keys show`) takes exactly one of them; `chosen` tells.
  Arguments action(std::string_view name, bool& chosen, std::string_view help);

 private:
  CLI::App& app_;
};

}  // namespace weft::cli

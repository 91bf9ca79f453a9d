// Declares the options and arguments of a command; CLI11 parses them. CLI11's header alone takes
// six seconds to compile, so only arguments.cpp and program.cpp include it.
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

// Further properties of an argument.
struct Detail {
  std::string_view value{};  // placeholder for its value in the help: "N", "FILE"
  bool required = false;
  std::vector<std::string> one_of{};  // the permitted values
  // Returns an empty string if the value is valid, otherwise what is wrong with it.
  std::function<std::string(const std::string&)> check{};
};

// Returns an empty string for a whole number, otherwise what is wrong with it. CLI11 by itself
// reads -1 as the largest number, and 010 as 8.
std::string check_number(const std::string& text);

class Arguments {
 public:
  explicit Arguments(CLI::App& app) : app_(app) {}

  // "--name" is an option, "NAME" a positional argument. `into` must outlive the parsing, and keeps
  // its value if the argument is not given.
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

  // A command with actions (`weft keys show`) requires exactly one of them; the parser sets
  // `chosen` for it.
  Arguments action(std::string_view name, bool& chosen, std::string_view help);

 private:
  CLI::App& app_;
};

}  // namespace weft::cli

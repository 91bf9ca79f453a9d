// A pager: a program that a person scrolls with, such as less. It is fed as it asks for more, so a
// long text starts at once and is never held as a whole.
#pragma once

#include <sys/types.h>

#include <cstdio>
#include <optional>
#include <string>
#include <string_view>

#include "weft/cli/app/home.hpp"

namespace weft::cli {

inline constexpr std::string_view kDefaultPager = "less -R";

class Pager {
 public:
  // Starts the pager of the environment ($WEFT_PAGER, else $PAGER, else less) in front of stdout.
  // `at` is a text that a line begins with: less scrolls to it. Empty if none is wanted (the pager
  // is empty or `cat`, the terminal is dumb), or if it cannot be started: print to stdout then.
  static std::optional<Pager> start(const Environment& environment, std::string_view at);
  Pager(Pager&& other) noexcept;
  Pager& operator=(Pager&&) = delete;
  ~Pager();  // waits until the person leaves it

  // Whether it passes links on, as less does; others print them as signs.
  bool takes_links() const { return is_less_; }
  // False once the person has left it.
  bool write(std::string_view text);

 private:
  Pager(std::FILE* pipe, pid_t child, bool is_less)
      : pipe_(pipe), child_(child), is_less_(is_less) {}

  std::FILE* pipe_;
  pid_t child_;
  bool is_less_;
};

}  // namespace weft::cli

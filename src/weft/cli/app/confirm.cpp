#include "weft/cli/app/confirm.hpp"

#include <cstdio>
#include <string>

#include "weft/cli/render/document.hpp"

namespace weft::cli {

bool can_ask(const Context& context) {
  return !context.json() && is_terminal(stdin) && is_terminal(context.out());
}

bool is_answered_yes(const Context& context, std::string_view question) {
  context.print(question);
  std::fflush(context.out());
  std::string answer;
  for (int c = std::getchar(); c != EOF && c != '\n'; c = std::getchar()) {
    answer += static_cast<char>(c);
  }
  return answer == "y" || answer == "Y" || answer == "yes";
}

}  // namespace weft::cli

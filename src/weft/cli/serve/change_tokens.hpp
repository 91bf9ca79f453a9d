// Changes of the list of people's tokens: weft tokens add, list and remove.
#pragma once

#include <optional>
#include <string>

#include "weft/cli/app/context.hpp"

namespace weft::cli {

struct NewToken {
  std::string name;
  std::string rights = "read";
  std::optional<std::string> out{};  // the file that gets the token; without it, stdout does
};

// The token is written once, and only its hash is kept.
Answer add_token(const Context& context, const NewToken& wanted);
Answer list_tokens(const Context& context);
Answer remove_token(const Context& context, const std::string& name);

}  // namespace weft::cli

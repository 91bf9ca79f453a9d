// Separates the content of a message in the role user: the person's words and attachments, tool
// results, and the program's additions.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "weft/formats/adapters/cline/message.hpp"

namespace weft::formats::cline {

struct UserContent {
  std::vector<AuthoredBlock> blocks;
  std::optional<std::string> directory;  // as in Message
};

// `message` has the role user (or system: then no person speaks in it).
UserContent parse_user_content(const json::object& message, Era era);

}  // namespace weft::formats::cline

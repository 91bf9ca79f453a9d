// Describes a conversation to a person before it goes somewhere.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "weft/remote/push.hpp"

namespace weft::remote {

// Its name, and the folder that it worked in.
struct Described {
  Named named;
  std::string folder{};
};
Described describe_conversation(const query::Library& library, const store::ConversationRow& row);

// By conversation, the rules of sure secrets that stand in clear text, each once. Sealed text is
// left out: it leaves sealed.
using ClearSecrets = std::map<Cid, std::vector<std::string>>;
Result<ClearSecrets> find_clear_secrets(const query::Library& library,
                                        std::span<const Cid> conversations);

}  // namespace weft::remote

// Converts a conversation's facts to the content of a `conversation_facts` thought and back.
#pragma once

#include <set>
#include <string>

#include "weft/base/json.hpp"
#include "weft/transcript/conversation.hpp"

namespace weft::thought {

struct KnownFacts {
  transcript::Facts facts;
  std::set<std::string> models;
};

// Members for known facts only.
json::object to_content(const KnownFacts& known);
// Members that are absent or of another kind are left empty.
KnownFacts parse_facts(const json::object& content);

}  // namespace weft::thought

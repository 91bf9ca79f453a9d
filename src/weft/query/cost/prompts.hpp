// The prompts of a session in order of time, to find the one that a request belongs to.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "weft/query/library.hpp"

namespace weft::query {

struct Prompt {
  Cid cid;
  Millis time = 0;
  std::string text;  // its first words; empty if it is sealed
};

struct Prompts {
  Cid conversation;
  std::vector<Prompt> prompts{};  // by time

  // The last one not after `time`; null if there is none, or the time is not known.
  const Prompt* before(std::optional<Millis> time) const;
};

// A subagent works for the prompts of the session that started it.
Result<Prompts> find_prompts(const Library& library, const store::ConversationRow& row);

}  // namespace weft::query

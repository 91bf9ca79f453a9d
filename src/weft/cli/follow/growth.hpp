// Detects which conversations grew since the last check, whichever process wrote them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "weft/cli/render/terminal.hpp"
#include "weft/query/library.hpp"

namespace weft::cli {

struct Grown {
  store::ConversationRow row;
  std::uint64_t new_thoughts = 0;
};

class Growth {
 public:
  explicit Growth(const query::Library& library) : library_(library) {}

  // Records the present state without reporting it.
  Status settle();
  // In the order of their last commit, the newest last.
  Result<std::vector<Grown>> look();

 private:
  query::Library library_;
  std::map<Cid, std::uint64_t> known_;  // number of thoughts of each
};

// {event: "grew", time, conversation_cid, session_id, format, source, project, title, turn_count,
// thought_count, new_thoughts}
json::object to_json(const query::Library& library, const Grown& grown, Millis now);
// One line for people: time, format, project, title, number of new thoughts; safe for a terminal.
std::string to_line(const query::Library& library, const Grown& grown, Millis now,
                    const Style& style);

}  // namespace weft::cli

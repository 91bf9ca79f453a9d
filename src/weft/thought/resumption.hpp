// Resumption: the owner's signed statement that `weft resume` wrote a session of another tool, and
// which blocks it copied there. When that session is ingested, its copied blocks are the thoughts
// that they were copied from, and its conversation continues theirs. It belongs to no conversation.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "weft/thought/thought.hpp"

namespace weft::thought {

inline constexpr std::string_view kResumptionType = "resumption";

struct Resumption {
  Cid conversation;  // that it continues
  std::string format, session_id;
  struct Copy {
    // A keyed hash of the place and the content of the copy (weave::copy_key).
    std::array<std::uint8_t, 16> key{};
    Cid block;
    friend bool operator==(const Copy&, const Copy&) = default;
  };
  std::vector<Copy> copies{};  // in the order of the session
  friend bool operator==(const Resumption&, const Resumption&) = default;
};

json::object to_content(const Resumption& resumption);
// invalid_input if `thought` is not a resumption, or has missing or extra members.
Result<Resumption> to_resumption(const Thought& thought);

}  // namespace weft::thought

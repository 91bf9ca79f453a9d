// AuthorshipNote: which sessions of agents a note in refs/notes/ai claims lines of a commit for.
// The format is that of git-ai, "authorship/3":
//
//   src/loom.py
//     s_c9883b05a2487d::t_9f8e7d6c5b4a32 1-10,15
//   "a file.py"
//     h_a1b2c3d4e5f678 3
//   ---
//   {"schema_version": "authorship/3.0.0",
//    "sessions": {"s_c9883b05a2487d": {"agent_id": {"tool": "claude", "id": "…", "model": "…"}}}}
//
// A key before the ranges names a record of the JSON: `s_` one of `sessions`, up to `::`; `h_` a
// person; any other one of `prompts`, where git-ai kept sessions before its version 1.4.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "weft/base/result.hpp"

namespace weft::git {

struct AuthorshipClaim {
  std::string path;                 // of the file in the commit
  std::size_t first = 1, last = 1;  // lines of it there, both included, from 1
  std::string session;              // the agent's own id of the session
  friend bool operator==(const AuthorshipClaim&, const AuthorshipClaim&) = default;
};

// The claims for sessions; those for people and those whose key names no record are left out.
// invalid_input if the text is no such note, or of another version.
Result<std::vector<AuthorshipClaim>> parse_authorship_note(std::string_view text);

}  // namespace weft::git

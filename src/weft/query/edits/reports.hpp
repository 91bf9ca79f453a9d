// Reports: what commits say themselves of who wrote their lines.
//
// | report | says |
// |---|---|
// | a trailer `Weft-Thought: CID` in the commit's message | that the edits of this call, or of the
//   calls that this prompt asked for, are in the commit |
// | a note of git-ai in refs/notes/ai | which session wrote which lines (git/authorship_note.hpp) |
//
// Whoever writes to the repository can write such a report. It is believed less than what the
// transcripts show.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "weft/base/cid.hpp"
#include "weft/git/authorship_note.hpp"
#include "weft/git/git.hpp"

namespace weft::query {

inline constexpr std::string_view kTrailer = "Weft-Thought";

struct CommitReport {
  std::unordered_set<Cid> thoughts{};          // that trailers name
  std::vector<git::AuthorshipClaim> claims{};  // of the note

  // The agent's id of the session that is said to have written a line of a file; empty for none.
  std::string_view session_at(std::string_view path, std::size_t line) const;
};

// By commit; commits that say nothing are left out. A report that cannot be read counts for
// nothing. Fails if a stop is requested.
Result<std::unordered_map<std::string, CommitReport>> read_reports(
    const git::Git& git, const std::vector<std::string>& commits);

}  // namespace weft::query

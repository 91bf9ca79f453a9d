// The session log: every session as a file of lines that only grows, for people and programs that
// follow along. `weft watch --log DIR` writes it.
//
//   DIR/<session>.jsonl   TranscriptEntry records (transcript/entry.hpp), one on each line
//   DIR/.weft/            how far each file goes, the mark, the lock
//
// What holds, whenever the process that writes ends and however:
//
// - A session's file begins with its first entry, whatever of it came before the log. Subagents are
//   in the file of their session, each with its own source.
// - Within a source, `sequence` counts from 0 without a gap, and each entry stands once. Entries
//   come in the order in which they were woven, those of all branches.
// - A line, once written, stays as it is. So what changes an entry is told by another one:
//   a text of the same message that comes later is an entry of its own, whose metadata says which
//   one it `continues` (the message's first); a block that takes another's place is one that
//   `supersedes` the entry in which the other was told.
// - Reasoning is told with what follows it, in its metadata: that there was some, and how long it
//   took; with `with_thinking` also what it says (`texts`), as far as the keyring opens it. As
//   long as nothing follows it, it waits.
// - A line that a crash cut off is taken away before the next one is written.
//
// A session id may be any text: what is no plain name becomes one, with a hash of the session
// behind it, so that two sessions are never in one file. The directory is for its owner's eyes
// alone, and so are the files.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "weft/base/file_lock.hpp"
#include "weft/capture/log/session_file.hpp"
#include "weft/query/library.hpp"

namespace weft::capture {

class SessionLog {
 public:
  // Makes the directory where there is none; then what is committed from now on is logged. What
  // `library` points at outlives it. unavailable if another process writes a log there.
  static Result<SessionLog> open(const query::Library& library, std::filesystem::path directory,
                                 bool with_thinking);

  // Appends what was committed while nobody wrote: to every session that has a file here, and of
  // every conversation that has grown since this log was last written.
  [[nodiscard]] Status catch_up();

  // Appends what is new of these, and of whatever else has grown. One that is gone is no error.
  // Goes on with the others if one fails, and says why; the next time makes up for it.
  [[nodiscard]] Status append(const std::vector<Cid>& conversations);

 private:
  SessionLog(const query::Library& library, std::filesystem::path directory, FileLock lock,
             bool with_thinking);
  Status append_one(const Cid& conversation);
  Status settle(const store::ConversationRow& row, SessionFile& file);
  // The file of a session, the `attempt`-th that it may have.
  Result<SessionFile*> file_of(const store::ConversationRow& row, int attempt);
  Result<std::vector<Cid>> known_conversations() const;
  Status move_mark(const std::optional<Cid>& checkpoint);

  query::Library library_;
  std::filesystem::path directory_;
  FileLock lock_;
  transcript::IncludeThinking thinking_;
  std::optional<Cid> mark_{};                   // the checkpoint up to which all is logged
  std::map<std::string, SessionFile> files_{};  // by name
};

// The name, without its ending, of a session's file: the session id itself if it is a plain name,
// such as a UUID; else what is plain of it, and a hash.
std::string session_file_name(std::string_view format, std::string_view session_id);

}  // namespace weft::capture

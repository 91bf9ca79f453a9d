// The session log: every session as an append-only file of lines, for people and programs that
// follow it. `weft watch --log DIR` writes it.
//
//   DIR/<session>.jsonl     TranscriptEntry records (transcript/entry.hpp), one on each line
//   DIR/<session>~2.jsonl   the lines after that, once the first file has reached its limit
//   DIR/.weft/              how far each file is written, the mark, the lock
//
// Guarantees, whenever and however the writing process ends:
//
// - A session's file begins with its first entry, even if that is older than the log. Subagents are
//   in the file of their session, each with its own source.
// - Within a source, `sequence` counts from 0 without a gap, also from one file of a session to the
//   next, and each entry is written once. Entries of all branches come in the order in which they
//   were woven.
// - A written line never changes. A change to an entry is another entry: later text of the same
//   message is an entry of its own, whose metadata names the one that it `continues` (the message's
//   first); a block that replaces another is an entry that `supersedes` the other's.
// - Reasoning is written with the entry that follows it, in its metadata: that there was some, and
//   how long it took; with `with_thinking` also its text (`texts`), if the keyring opens it. It is
//   pending until an entry follows.
// - A line that a crash cut off is removed before the next one is written.
//
// A session id may be any text: one that is not a plain name is turned into one, with a hash of the
// session appended, so that two sessions never share a file. Only the owner can read the directory
// and its files.
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

struct LogOptions {
  bool with_thinking = false;
  std::uint64_t max_file_bytes = 64'000'000;  // a longer file is not continued, but followed by one
};

class SessionLog {
 public:
  // Creates the directory if it does not exist; what is committed from then on is logged. What
  // `library` points to outlives it. unavailable if another process writes a log there.
  static Result<SessionLog> open(const query::Library& library, std::filesystem::path directory,
                                 const LogOptions& options);

  // Appends what was committed while no process wrote the log: to every session that has a file
  // here, and of every conversation that has grown since.
  [[nodiscard]] Status catch_up();

  // Appends what is new of these conversations and of any other that has grown. A conversation that
  // is gone is not an error. If one fails, the others are still appended and the error is returned;
  // the next call retries.
  [[nodiscard]] Status append(const std::vector<Cid>& conversations);

 private:
  SessionLog(const query::Library& library, std::filesystem::path directory, FileLock lock,
             const LogOptions& options);
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
  std::uint64_t max_file_bytes_;
  std::optional<Cid> mark_{};                   // the checkpoint up to which all is logged
  std::map<std::string, SessionFile> files_{};  // by name
};

// The name of a session's file, without its extension: the session id itself if it is a plain name,
// such as a UUID; else its plain characters, and a hash.
std::string session_file_name(std::string_view format, std::string_view session_id);

}  // namespace weft::capture

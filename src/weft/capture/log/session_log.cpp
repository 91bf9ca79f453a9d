#include "weft/capture/log/session_log.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "weft/base/file.hpp"
#include "weft/base/hex.hpp"
#include "weft/base/try.hpp"
#include "weft/crypto/blake3.hpp"

namespace weft::capture {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kOwnFolder = ".weft";
constexpr std::string_view kNoteEnding = ".note";
// The mark of a log that was started with an empty store.
constexpr std::string_view kEmptyStore = "empty";
constexpr std::size_t kLongestName = 128;
constexpr std::size_t kKeptOfOthers = 64;
// A session has one of two names: the second if another format's session uses the first.
constexpr int kAttempts = 2;

bool is_letter_or_digit(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool is_plain(char c) { return is_letter_or_digit(c) || c == '-' || c == '_' || c == '.'; }

std::string hash_of(std::string_view format, std::string_view session_id) {
  const Digest digest = crypto::blake3({format, std::string_view("\0", 1), session_id});
  return to_hex(digest);
}

Status make_directory(const fs::path& path) {
  if (::mkdir(path.c_str(), 0700) == 0) return {};
  const int number = errno;
  std::error_code ignored;
  if (number == EEXIST && fs::is_directory(path, ignored)) return {};
  return fail(number == ENOSPC ? ErrorCode::unavailable : ErrorCode::denied,
              "making " + path.string() + ": " + std::generic_category().message(number));
}

}  // namespace

std::string session_file_name(std::string_view format, std::string_view session_id) {
  const bool is_name = !session_id.empty() && session_id.size() <= kLongestName &&
                       is_letter_or_digit(session_id.front()) &&
                       std::ranges::all_of(session_id, is_plain);
  if (is_name) return std::string(session_id);
  std::string name(session_id.substr(0, kKeptOfOthers));
  for (char& c : name) c = is_letter_or_digit(c) ? c : '_';
  // No plain name has this sign, so no other session's name is this one.
  return (name.empty() ? "session" : name) + "~" + hash_of(format, session_id).substr(0, 16);
}

SessionLog::SessionLog(const query::Library& library, fs::path directory, FileLock lock,
                       const LogOptions& options)
    : library_(library),
      directory_(std::move(directory)),
      lock_(std::move(lock)),
      thinking_(options.with_thinking ? transcript::IncludeThinking::yes
                                      : transcript::IncludeThinking::no),
      max_file_bytes_(options.max_file_bytes) {}

Result<SessionLog> SessionLog::open(const query::Library& library, fs::path directory,
                                    const LogOptions& options) {
  std::error_code failed;
  const fs::path absolute = fs::absolute(directory, failed);
  if (failed) return fail(ErrorCode::invalid_input, directory.string() + ": " + failed.message());
  fs::create_directories(absolute.parent_path(), failed);
  for (const fs::path& path : {absolute, absolute / kOwnFolder}) {
    WEFT_TRY(make_directory(path));
  }
  Result<FileLock> lock = FileLock::try_acquire(absolute / kOwnFolder / "lock");
  if (!lock && lock.error().code == ErrorCode::unavailable) {
    return fail(ErrorCode::unavailable,
                "another weft writes the session log in " + absolute.string());
  }
  if (!lock) return fail(std::move(lock).error());
  SessionLog log(library, absolute, *std::move(lock), options);
  const Result<std::string> mark = read_file(absolute / kOwnFolder / "mark");
  const bool is_of_empty_store = mark && *mark == kEmptyStore;
  if (const Result<Cid> cid = Cid::parse(mark ? *mark : std::string()); cid) log.mark_ = *cid;
  // A new log, or the log of another store, begins now.
  const bool is_known =
      is_of_empty_store || (log.mark_ && library.web.changes_since(log.mark_).has_value());
  if (!is_known) {
    WEFT_TRY_VALUE(auto now, library.web.changes_since({}));
    if (Status moved = log.move_mark(now.checkpoint); !moved) return fail(std::move(moved).error());
  }
  return log;
}

Status SessionLog::move_mark(const std::optional<Cid>& checkpoint) {
  if (checkpoint == mark_ && mark_) return {};
  mark_ = checkpoint;
  const fs::path path = directory_ / kOwnFolder / "mark";
  return write_file_quickly(path, mark_ ? mark_->str() : std::string(kEmptyStore));
}

Status SessionLog::catch_up() {
  WEFT_TRY_VALUE(auto known, known_conversations());
  return append(known);
}

Status SessionLog::append(const std::vector<Cid>& conversations) {
  WEFT_TRY_VALUE(auto changes_since, library_.web.changes_since(mark_));
  std::vector<Cid> all = conversations;
  for (const Cid& grown : changes_since.conversations) {
    if (std::ranges::find(conversations, grown) == conversations.end()) all.push_back(grown);
  }
  Status done;
  for (const Cid& conversation : all) {
    if (Status status = append_one(conversation); !status && done) done = std::move(status);
  }
  if (!done) return done;
  return move_mark(changes_since.checkpoint);
}

Status SessionLog::append_one(const Cid& conversation) {
  Result<store::ConversationRow> row = library_.web.conversation(conversation);
  if (!row && row.error().code == ErrorCode::not_found) return {};
  if (!row) return fail(std::move(row).error());
  for (int attempt = 0;; ++attempt) {
    Result<SessionFile*> file = file_of(*row, attempt);
    Status status;
    if (!file) status = fail(std::move(file).error());
    else if (Status settled = settle(*row, **file); !settled) status = std::move(settled);
    else status = (*file)->append(library_, *row, thinking_);
    const bool is_name_taken = !status && (status.error().code == ErrorCode::invalid_input ||
                                           (!file && status.error().code == ErrorCode::denied));
    if (!is_name_taken) return status;
    // Two conversations have the same name if one was imported from somebody else.
    if (attempt + 1 == kAttempts) return {};
  }
}

// After a crash, also finds how far the file is written for the session's other sources.
Status SessionLog::settle(const store::ConversationRow& row, SessionFile& file) {
  if (file.is_settled()) return {};
  WEFT_TRY_VALUE(auto rows,
                 library_.web.conversations({.format = row.format, .session_id = row.session_id}));
  for (const store::ConversationRow& other : rows) {
    if (other.cid == row.cid) continue;
    Status status = file.append(library_, other, thinking_);
    const bool is_foreign = !status && status.error().code == ErrorCode::invalid_input;
    if (!status && !is_foreign) return status;
  }
  return {};
}

Result<SessionFile*> SessionLog::file_of(const store::ConversationRow& row, int attempt) {
  std::string name = session_file_name(row.format, row.session_id);
  if (attempt > 0) name += "~" + row.format;
  if (const auto known = files_.find(name); known != files_.end()) {
    if (known->second.owner() == hash_of(row.format, row.session_id)) return &known->second;
    return fail(ErrorCode::denied, name + " is the log of another session");
  }
  WEFT_TRY_VALUE(auto file,
                 SessionFile::open(directory_ / (name + ".jsonl"),
                                   directory_ / kOwnFolder / (name + std::string(kNoteEnding)),
                                   hash_of(row.format, row.session_id), max_file_bytes_));
  return &files_.emplace(name, std::move(file)).first->second;
}

Result<std::vector<Cid>> SessionLog::known_conversations() const {
  std::vector<Cid> known;
  std::error_code failed;
  for (fs::directory_iterator at(directory_ / kOwnFolder, failed), end; !failed && at != end;
       at.increment(failed)) {
    if (at->path().extension() != kNoteEnding) continue;
    for (const Cid& cid : SessionFile::conversations_in(at->path())) known.push_back(cid);
  }
  if (failed) {
    return fail(ErrorCode::unavailable, "reading " + directory_.string() + ": " + failed.message());
  }
  std::ranges::sort(known);
  const auto twice = std::ranges::unique(known);
  known.erase(twice.begin(), twice.end());
  return known;
}

}  // namespace weft::capture

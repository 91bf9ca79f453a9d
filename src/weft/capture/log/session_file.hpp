// The files of one session in the session log, and how far they are written. session_log.hpp
// describes their content.
//
// A session has one file until that reaches its limit. Then the next *part* begins: NAME.jsonl,
// NAME~2.jsonl, NAME~3.jsonl…; written parts stay as they are. A line is never divided, so a line
// beyond the limit is a part of its own.
//
// The files are the truth: an entry in them was written. A note beside them says which part is the
// last and how far it goes, so that resuming reads only what was appended after the note; without a
// note, or with one that does not fit, all parts are read. A last line without its newline was cut
// off by a crash, and is removed before anything is appended.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "weft/query/transcript/entry_stream.hpp"

namespace weft::capture {

class SessionFile {
 public:
  // `file` is the first part; a part has at most `max_bytes`. `owner` identifies the session.
  // denied if the note names another owner.
  static Result<SessionFile> open(std::filesystem::path file, std::filesystem::path note,
                                  std::string owner, std::uint64_t max_bytes);

  // Appends the new entries of a conversation of the session. invalid_input if the file has entries
  // of the same source that belong to another conversation. unavailable on a full disk: some may be
  // appended then, and the next call resumes after them.
  [[nodiscard]] Status append(const query::Library& library, const store::ConversationRow& row,
                              transcript::IncludeThinking thinking);

  // Whether it is known for every source how far it is written. Otherwise append() has to be called
  // for its sources even if they have nothing new.
  bool is_settled() const;
  const std::string& owner() const { return owner_; }

  // The conversations that a note names.
  static std::vector<Cid> conversations_in(const std::filesystem::path& note);

 private:
  // The entries of one source in the file.
  struct Source {
    std::optional<Cid> conversation{};
    query::EntryMark mark{};          // as far as it is known; its sequence is always right
    query::EmittedEntries emitted{};  // the entries after that
  };

  SessionFile(std::filesystem::path file, std::filesystem::path note, std::string owner,
              std::uint64_t max_bytes)
      : file_(std::move(file)),
        note_(std::move(note)),
        owner_(std::move(owner)),
        max_bytes_(max_bytes) {}
  std::filesystem::path part(std::uint64_t number) const;
  Status load();
  Status read_note();
  void learn_sources(const json::object& note);
  // Reads from the known position to the end of the last part.
  Status scan();
  Status scan_part();
  void learn(std::string_view line);
  Status save_note() const;
  Result<query::EntryStream> stream_of(const query::Library& library,
                                       const store::ConversationRow& row,
                                       transcript::IncludeThinking thinking);
  Status append_entries(Source& source, const std::vector<query::StreamEntry>& entries);
  void begin_part();
  Status write(std::string_view lines);

  std::filesystem::path file_, note_;
  std::string owner_;
  std::uint64_t max_bytes_;
  std::uint64_t part_ = 1, length_ = 0;      // the last part, and its length
  std::map<std::string, Source> sources_{};  // by name: "primary", "subagent:…"
};

}  // namespace weft::capture

// One file of the session log, and how far it is written. session_log.hpp describes its content.
//
// The file is the truth: an entry in it was written. A note beside it says how far it goes, so that
// resuming reads only what was appended after the note; without a note, or with one that does not
// fit, the file is read whole. A last line without its newline was cut off by a crash, and is
// removed before anything is appended.
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
  // `owner` identifies the session. denied if the note names another owner.
  static Result<SessionFile> open(std::filesystem::path file, std::filesystem::path note,
                                  std::string owner);

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

  SessionFile(std::filesystem::path file, std::filesystem::path note, std::string owner)
      : file_(std::move(file)), note_(std::move(note)), owner_(std::move(owner)) {}
  Status load();
  Status read_note(std::uint64_t size);
  void learn_sources(const json::object& note);
  Status scan();
  void learn(std::string_view line);
  Status save_note() const;
  Result<query::EntryStream> stream_of(const query::Library& library,
                                       const store::ConversationRow& row,
                                       transcript::IncludeThinking thinking);
  Status write(std::string_view lines);

  std::filesystem::path file_, note_;
  std::string owner_;
  std::uint64_t length_ = 0;
  std::map<std::string, Source> sources_{};  // by name: "primary", "subagent:…"
};

}  // namespace weft::capture

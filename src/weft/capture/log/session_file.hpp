// One file of the session log, and how far it goes. session_log.hpp says what stands in it.
//
// The file is the truth: what it holds was told. Beside it lies a note of how far that is, so that
// going on takes reading what was appended after the note alone; without the note, or with one
// that does not fit, the file is read whole. Every line ends with a line end, and what does not is
// no entry: it was cut off by a crash, and is taken away before anything is appended.
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
  // `owner` tells sessions apart. denied if the note says that the file is another session's.
  static Result<SessionFile> open(std::filesystem::path file, std::filesystem::path note,
                                  std::string owner);

  // Appends what is new of a conversation of the session. invalid_input if the file holds entries
  // of such a source that are not this conversation's. unavailable on a full disk: then some may
  // be appended, and the next time goes on after them.
  [[nodiscard]] Status append(const query::Library& library, const store::ConversationRow& row,
                              transcript::IncludeThinking thinking);

  // Whether it is known how far it goes of every source. Else its sources want to be appended to,
  // even if nothing of them is new.
  bool is_settled() const;
  const std::string& owner() const { return owner_; }

  // The conversations that a note speaks of.
  static std::vector<Cid> conversations_in(const std::filesystem::path& note);

 private:
  // What is in the file of one source.
  struct Source {
    std::optional<Cid> conversation{};
    query::EntryMark mark{};    // as far as it is known; its sequence is always right
    query::ToldEntries told{};  // the entries after that
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

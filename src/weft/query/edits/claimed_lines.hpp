// ClaimedLines: the lines of a file whose commits say themselves who wrote them, and whether an
// edit is what they name.
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "weft/query/edits/attribution.hpp"
#include "weft/query/edits/call_story.hpp"
#include "weft/query/edits/reports.hpp"

namespace weft::query {

class ClaimedLines {
 public:
  static constexpr std::string_view kByNote = "git-ai";
  static constexpr std::string_view kByTrailer = kTrailer;

  // Reads the reports of the commits of those lines that have no answer yet. The library's parts
  // and the file outlive it.
  static Result<ClaimedLines> read(const Library& library, const BlamedFile& file,
                                   const std::vector<std::optional<LineAnswer>>& answers,
                                   const std::stop_token& stop);

  bool empty() const { return reports_.empty(); }
  bool is_claimed(const FileLine& line) const { return report_of(line) != nullptr; }
  // Which report names this edit for the line; empty for none.
  std::optional<std::string_view> find_reporter(const FileLine& line, const KnownEdit& edit);
  // The conversation that a note names for the line; empty if it names none that is known.
  std::optional<Cid> find_conversation(const FileLine& line);

 private:
  struct Session {
    std::optional<Cid> main{};                // the conversation, not one of its subagents
    std::unordered_set<Cid> conversations{};  // all with this session's id
  };
  ClaimedLines(const Library& library, const BlamedFile& file)
      : library_(library), file_(file), stories_(std::make_unique<CallStories>(library)) {}
  const CommitReport* report_of(const FileLine& line) const;
  const Session& session_at(const FileLine& line);
  bool names_call(const CommitReport& report, const KnownEdit& edit);

  Library library_;
  const BlamedFile& file_;
  std::unique_ptr<CallStories> stories_;                   // points into itself: it must not move
  std::unordered_map<std::string, CommitReport> reports_;  // by commit
  std::unordered_map<std::string, Session> sessions_;      // by the agent's id
};

}  // namespace weft::query

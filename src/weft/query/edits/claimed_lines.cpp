#include "weft/query/edits/claimed_lines.hpp"

#include <set>

#include "weft/base/try.hpp"

namespace weft::query {

Result<ClaimedLines> ClaimedLines::read(const Library& library, const BlamedFile& file,
                                        const std::vector<std::optional<LineAnswer>>& answers,
                                        const std::stop_token& stop) {
  ClaimedLines claimed(library, file);
  std::set<std::string> commits;
  for (std::size_t n = 0; n < file.lines.size(); ++n) {
    const auto& commit = file.sources[file.lines[n].source].commit;
    if (!answers[n] && commit) commits.insert(commit->commit);
  }
  if (commits.empty()) return claimed;
  WEFT_TRY_VALUE(claimed.reports_,
                 read_reports(git::Git(*file.repository, stop), {commits.begin(), commits.end()}));
  return claimed;
}

const CommitReport* ClaimedLines::report_of(const FileLine& line) const {
  const auto& commit = file_.sources[line.source].commit;
  if (!commit) return nullptr;
  const auto found = reports_.find(commit->commit);
  return found == reports_.end() ? nullptr : &found->second;
}

std::optional<std::string_view> ClaimedLines::find_reporter(const FileLine& line,
                                                            const KnownEdit& edit) {
  const CommitReport* report = report_of(line);
  if (report == nullptr) return std::nullopt;
  if (names_call(*report, edit)) return kByTrailer;
  if (session_at(line).conversations.contains(edit.conversation)) return kByNote;
  return std::nullopt;
}

std::optional<Cid> ClaimedLines::find_conversation(const FileLine& line) {
  return session_at(line).main;
}

// A trailer may name the call, its result, or the words that asked for it.
bool ClaimedLines::names_call(const CommitReport& report, const KnownEdit& edit) {
  if (report.thoughts.empty()) return false;
  if (report.thoughts.contains(edit.request)) return true;
  if (edit.result && report.thoughts.contains(*edit.result)) return true;
  const auto prompt = stories_->prompt_of(edit.request);
  return prompt && *prompt && report.thoughts.contains(**prompt);
}

const ClaimedLines::Session& ClaimedLines::session_at(const FileLine& line) {
  static const Session kNone;
  const CommitReport* report = report_of(line);
  if (report == nullptr) return kNone;
  const std::string id(
      report->session_at(file_.sources[line.source].commit->path, line.source_number));
  if (id.empty()) return kNone;
  const auto [found, is_new] = sessions_.try_emplace(id);
  Session& session = found->second;
  if (!is_new) return session;
  const auto rows = library_.web.conversations({.session_id = id});
  if (!rows || rows->empty()) return session;
  for (const store::ConversationRow& row : *rows) session.conversations.insert(row.cid);
  const auto main = resolve_conversation(library_, rows->front().format + ":" + id);
  if (main) session.main = main->cid;
  return session;
}

}  // namespace weft::query

#include "weft/cli/follow/print_live_session.hpp"

#include "weft/cli/follow/commit_sleep.hpp"
#include "weft/query/transcript/follower.hpp"

namespace weft::cli {

Answer follow(const Context& context, const Opened& opened, const std::string& name,
              const query::EntriesOptions& wanted, int stop,
              const std::function<void(const transcript::TranscriptEntry&)>& print) {
  CommitSleep sleep(context, *opened.store, stop);
  const query::Library library = opened.library();
  Outcome<store::ConversationRow> row = conversation_called(library, name);
  for (bool is_reported = false; !row; row = conversation_called(library, name)) {
    if (row.error().error.code != ErrorCode::not_found) return refuse(std::move(row));
    if (!is_reported) context.note("no such conversation yet; waiting for it");
    is_reported = true;
    if (!sleep.until_changed()) return Exit::done;
  }
  query::Follower follower(library, *row, wanted);
  for (;;) {
    Result<std::vector<transcript::TranscriptEntry>> entries = follower.next();
    if (!entries) return refuse(std::move(entries).error());
    for (const transcript::TranscriptEntry& entry : *entries) print(entry);
    if (std::fflush(context.out()) != 0) return Exit::done;  // the reader is gone
    if (!sleep.until_changed()) return Exit::done;
  }
}

}  // namespace weft::cli

#include "weft/query/transcript/follower.hpp"

#include <algorithm>
#include <set>
#include <unordered_map>

#include "weft/base/try.hpp"
#include "weft/query/ask/turns.hpp"

namespace weft::query {
namespace {

using transcript::TranscriptEntry;

// The present state as a transcript would have it: the main branch, and the latest block at each
// place.
Result<std::vector<StreamEntry>> current_entries(const Library& library,
                                                 const store::ConversationRow& conversation,
                                                 std::vector<StreamEntry> entries) {
  Result<std::vector<TurnView>> turns = turns_of(library, conversation);
  if (turns) turns = branch_of(library, *std::move(turns), {});
  if (!turns) return fail(std::move(turns).error());
  std::set<Cid> branch;
  for (const TurnView& turn : *turns) branch.insert(turn.thought.cid);
  std::unordered_map<std::string, std::size_t> by_id;
  std::vector<StreamEntry> out;
  for (StreamEntry& entry : entries) {
    if (!branch.contains(entry.mark.turn)) continue;
    const auto older = find_string(entry.entry.metadata, "supersedes");
    const auto found = older ? by_id.find(std::string(*older)) : by_id.end();
    by_id.emplace(entry.entry.entry_id, found == by_id.end() ? out.size() : found->second);
    if (found == by_id.end()) {
      out.push_back(std::move(entry));
    } else {
      entry.entry.metadata.erase("supersedes");
      out[found->second] = std::move(entry);
    }
  }
  return out;
}

}  // namespace

Follower::Follower(const Library& library, store::ConversationRow row, EntriesOptions options)
    : library_(library), row_(std::move(row)), options_(std::move(options)) {}

Result<std::vector<StreamEntry>> Follower::read(const store::ConversationRow& row) {
  auto stream = streams_.find(row.cid);
  if (stream == streams_.end()) {
    WEFT_TRY_VALUE(auto opened, EntryStream::open(library_, row, {}));
    stream = streams_.emplace(row.cid, std::move(opened)).first;
  }
  std::vector<StreamEntry> all;
  for (;;) {
    WEFT_TRY_VALUE(auto more, stream->second.next());
    if (more.empty()) break;
    std::ranges::move(more, std::back_inserter(all));
  }
  return is_first_ ? current_entries(library_, row, std::move(all)) : std::move(all);
}

Result<std::vector<TranscriptEntry>> Follower::next() {
  WEFT_TRY_VALUE(auto rows, sources_of(library_, row_));
  std::vector<std::vector<TranscriptEntry>> sources;
  for (const store::ConversationRow& row : rows) {
    if (options_.source && row.source != *options_.source) continue;
    WEFT_TRY_VALUE(auto entries, read(row));
    std::vector<TranscriptEntry>& source = sources.emplace_back();
    for (StreamEntry& entry : entries) source.push_back(std::move(entry.entry));
  }
  std::vector<TranscriptEntry> all = merged(std::move(sources));
  EntriesOptions wanted = options_;
  if (!is_first_) wanted.latest.reset();
  choose(all, wanted);
  is_first_ = false;
  return all;
}

}  // namespace weft::query

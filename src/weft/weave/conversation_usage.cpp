// Collects the model requests of a conversation, and makes the usage thought of a commit.
#include <algorithm>
#include <tuple>
#include <utility>

#include "weft/base/try.hpp"
#include "weft/thought/seal.hpp"
#include "weft/weave/conversation_weaver.hpp"

namespace weft::weave {

using thought::CountedRequest;
using thought::is_better;

void ConversationWeaver::request(const transcript::Request& request) {
  CountedRequest named = thought::name_request(request, identities_.keyring());
  const auto [at, is_new] = requests_.try_emplace(named.key(), std::move(named));
  if (!is_new && is_better(named.counts, at->second.counts)) at->second = std::move(named);
}

// A source that is read again from its beginning emits requests that the web has. A conversation of
// requests alone, of which no word was kept, begins with the first of them.
Status ConversationWeaver::settle_requests() {
  if (requests_.empty()) return {};
  if (!conversation_) {
    std::optional<Millis> first;
    for (const auto& [key, row] : requests_) {
      if (row.counts.time) first = std::min(*row.counts.time, first.value_or(*row.counts.time));
    }
    WEFT_TRY(begin_conversation(first.value_or(0)));
  }
  if (known_ && !is_resumed_ && !are_requests_loaded_) {
    WEFT_TRY_VALUE(const auto cids, known_web_.usage_of(known_->cid));
    for (const Cid& cid : cids) {
      WEFT_TRY_VALUE(const auto thought, find_readable(known_web_, cid));
      if (!thought) continue;
      for (CountedRequest& row :
           thought::parse_usage(open_content(*thought, &identities_.keyring()))) {
        note_request(std::move(row));
      }
    }
    are_requests_loaded_ = true;
  }
  std::erase_if(requests_, [&](const auto& named) {
    const auto found = known_requests_.find(named.first);
    return found != known_requests_.end() && !is_better(named.second.counts, found->second);
  });
  return {};
}

void ConversationWeaver::note_request(CountedRequest row) {
  const auto [at, is_new] = known_requests_.try_emplace(row.key(), row.counts);
  if (!is_new && is_better(row.counts, at->second)) at->second = std::move(row.counts);
}

std::optional<thought::Thought> ConversationWeaver::usage_thought(Millis now) {
  if (requests_.empty()) return std::nullopt;
  std::vector<CountedRequest> rows;
  rows.reserve(requests_.size());
  for (auto& [key, row] : requests_) rows.push_back(std::move(row));
  requests_.clear();
  std::ranges::sort(rows, {}, [](const CountedRequest& row) {
    return std::tuple(row.counts.time.value_or(0), row.message, row.request);
  });
  thought::Thought thought;
  thought.type = heading_.family + "/" + std::string(thought::kUsageKind);
  thought.created_by = identities_.owner().cid;
  thought.created_at = now;
  thought.because = {{.thought = *conversation_}};
  set_content(thought, to_content(rows), identities_.keyring());
  thought.cid = cid_of(thought);
  for (CountedRequest& row : rows) note_request(std::move(row));
  return thought;
}

}  // namespace weft::weave

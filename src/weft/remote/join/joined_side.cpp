#include "weft/remote/join/joined_side.hpp"

#include <algorithm>
#include <tuple>

#include "weft/base/try.hpp"
#include "weft/thought/tombstone.hpp"
#include "weft/thought/usage.hpp"

namespace weft::remote {

using thought::Connection;
using thought::Thought;

// --- the chain -----------------------------------------------------------------------------------

Result<FileChain> FileChain::read(const ingest::ThoughtsFile& file, const Cid& conversation) {
  FileChain chain;
  WEFT_TRY(file.each_line([&](const ingest::ThoughtsFile::Line& line) {
    if (line.text.find(R"("type":"checkpoint")") == std::string_view::npos) return Status();
    const Result<Thought> thought = ingest::parse_thought_line(line.text);
    if (!thought) return Status();
    const Result<thought::Checkpoint> checkpoint = thought::to_checkpoint(*thought);
    if (checkpoint && checkpoint->conversation == conversation) {
      chain.checkpoints_.emplace(thought->cid, Link{*checkpoint, thought->created_at});
    }
    return Status();
  }));
  return chain;
}

bool FileChain::continues(const Cid& later, const Cid& earlier) const {
  std::size_t steps = 0;
  for (auto at = checkpoints_.find(later); at != checkpoints_.end() && steps <= checkpoints_.size();
       ++steps) {
    const std::optional<Cid>& previous = at->second.checkpoint.previous;
    if (previous == earlier) return true;
    at = previous ? checkpoints_.find(*previous) : checkpoints_.end();
  }
  return false;
}

Result<std::vector<Cid>> FileChain::up_to(const Cid& tip) const {
  std::vector<Cid> chain;
  for (std::optional<Cid> at = tip; at;) {
    const auto found = checkpoints_.find(*at);
    if (found == checkpoints_.end() || chain.size() == checkpoints_.size()) {
      return fail(ErrorCode::corrupt, "its chain of checkpoints is not whole");
    }
    chain.push_back(*at);
    at = found->second.checkpoint.previous;
  }
  std::ranges::reverse(chain);
  return chain;
}

// --- the rest ------------------------------------------------------------------------------------

Result<JoinedSide> JoinedSide::read(const ingest::ThoughtsFile& file, const Cid& conversation,
                                    const std::vector<Cid>& chain, const IsKept& is_kept) {
  JoinedSide side;
  side.conversation_ = conversation;
  for (const Cid& checkpoint : chain) side.numbers_.emplace(checkpoint, side.numbers_.size() + 1);
  WEFT_TRY(file.each_line([&](const ingest::ThoughtsFile::Line& line) -> Status {
    Result<Thought> thought = ingest::parse_thought_line(line.text);
    if (!thought) return fail(std::move(thought).error());
    side.add(*std::move(thought), is_kept);
    return {};
  }));
  for (Connection& edge : side.contents_) {
    const auto turn = side.turns_.find(edge.from);
    if (turn != side.turns_.end()) turn->second.contents.push_back(std::move(edge));
  }
  std::ranges::sort(side.kept_, {}, [](const Kept& kept) {
    return std::tuple(kept.place, kept.thought.created_at, kept.thought.cid);
  });
  return side;
}

void JoinedSide::add(Thought thought, const IsKept& is_kept) {
  if (!known_.insert(thought.cid).second || thought::is_gone(thought)) return;
  const std::string_view kind = thought::kind_of(thought.type);
  const bool is_about_it =
      !thought.because.empty() && thought.because.front().thought == conversation_;
  const LeafPlace place = place_of(thought);
  if (thought.type == thought::kConnectionType) {
    const Result<Connection> edge = thought::to_connection(thought);
    if (edge && edge->relation == "contains") contents_.push_back(*edge);
  } else if (kind == "turn") {
    const auto sequence = find_int(thought.content, "sequence").value_or(0);
    if (find_string(thought.content, "conversation") == conversation_.str()) {
      turns_.emplace(thought.cid,
                     Turn{.thought = thought, .sequence = static_cast<std::uint64_t>(sequence)});
    }
  } else if (kind == "conversation_facts" && is_about_it) {
    const std::tuple now(place, thought.created_at, thought.cid);
    if (!facts_place_ || *facts_place_ < now) {
      facts_place_ = now;
      facts_ = thought;
    }
  } else if (kind == thought::kUsageKind && is_about_it) {
    usage_.push_back(thought);
  }
  if (is_kept(thought.cid)) kept_.push_back({.place = place, .thought = std::move(thought)});
}

LeafPlace JoinedSide::place_of(const Thought& thought) const {
  std::optional<LeafPlace> first;
  const auto note = [&](const thought::TreeSignature& leaf) {
    const auto number = numbers_.find(leaf.checkpoint);
    if (number == numbers_.end()) return;
    const LeafPlace place{.checkpoint = number->second, .leaf = leaf.index};
    if (!first || place < *first) first = place;
  };
  if (const auto* tree = std::get_if<thought::TreeSignature>(&thought.signature)) note(*tree);
  std::ranges::for_each(thought.covered, note);
  return first.value_or(LeafPlace());
}

}  // namespace weft::remote

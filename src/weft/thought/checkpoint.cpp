#include "weft/thought/checkpoint.hpp"

#include "weft/base/hex.hpp"

namespace weft::thought {

json::object to_content(const Checkpoint& checkpoint) {
  json::object content;
  content["conversation"] = checkpoint.conversation.str();
  if (checkpoint.previous) content["previous"] = checkpoint.previous->str();
  content["leaves"] = checkpoint.leaves;
  content["root"] = to_hex(checkpoint.root);
  content["blocks"] = checkpoint.blocks;
  content["head"] = to_hex(checkpoint.head);
  return content;
}

Result<Checkpoint> to_checkpoint(const Thought& thought) {
  const auto wrong = [] { return fail(ErrorCode::invalid_input, "checkpoint: malformed content"); };
  if (thought.type != kCheckpointType || thought.source || !thought.because.empty() ||
      thought.layers != Layers{}) {
    return wrong();
  }
  Checkpoint checkpoint;
  const auto conversation = find_string(thought.content, "conversation");
  const auto leaves = find_int(thought.content, "leaves");
  const auto root = find_string(thought.content, "root");
  const auto blocks = find_int(thought.content, "blocks");
  const auto head = find_string(thought.content, "head");
  if (!conversation || !leaves || *leaves < 1 || !blocks || *blocks < 0 || !root || !head ||
      !parse_hex(*root, checkpoint.root) || !parse_hex(*head, checkpoint.head)) {
    return wrong();
  }
  Result<Cid> cid = Cid::parse(*conversation);
  if (!cid) return wrong();
  checkpoint.conversation = *cid;
  checkpoint.leaves = static_cast<std::uint64_t>(*leaves);
  checkpoint.blocks = static_cast<std::uint64_t>(*blocks);
  std::size_t members = 5;
  if (const auto previous = find_string(thought.content, "previous")) {
    Result<Cid> previous_cid = Cid::parse(*previous);
    if (!previous_cid) return wrong();
    checkpoint.previous = *previous_cid;
    ++members;
  }
  if (thought.content.size() != members) return wrong();
  return checkpoint;
}

}  // namespace weft::thought

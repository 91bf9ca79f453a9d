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
  if (checkpoint.version > 1) content["version"] = checkpoint.version;
  return content;
}

std::optional<Error> find_newer_version(const Thought& thought) {
  if (thought.type != kCheckpointType) return std::nullopt;
  const auto version = find_int(thought.content, "version");
  if (!version || *version <= static_cast<std::int64_t>(kCheckpointVersion)) return std::nullopt;
  return Error{ErrorCode::invalid_input, "checkpoint: made by a newer weft: version " +
                                             std::to_string(*version) + "; this one knows " +
                                             std::to_string(kCheckpointVersion)};
}

Result<Checkpoint> to_checkpoint(const Thought& thought) {
  const auto wrong = [] { return fail(ErrorCode::invalid_input, "checkpoint: malformed content"); };
  if (thought.type != kCheckpointType || thought.source || !thought.because.empty() ||
      thought.layers != Layers{}) {
    return wrong();
  }
  // First: what it holds beside its version is unknown.
  if (std::optional<Error> newer = find_newer_version(thought)) return fail(*std::move(newer));
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
  checkpoint.version = 1;
  if (thought.content.contains("version")) {
    if (find_int(thought.content, "version") != std::int64_t{kCheckpointVersion}) return wrong();
    checkpoint.version = kCheckpointVersion;
    ++members;
  }
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

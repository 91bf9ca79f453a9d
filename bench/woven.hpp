// Conversations woven for measurements: complete, with a tree, and not really signed.
#pragma once

#include <cstdint>
#include <string>

#include "block_texts.hpp"
#include "weft/crypto/blake3.hpp"
#include "weft/thought/checkpoint.hpp"
#include "weft/thought/tree.hpp"
#include "weft/weave/commit_unit.hpp"

namespace weft::bench {

inline constexpr std::uint64_t kBlocksInTurn = 10;

// Conversation `number` of `owner`, with its first `blocks`; adds the bytes of their text.
inline weave::CommitUnit woven_conversation(const std::string& owner, std::uint64_t number,
                                            BlockTexts& corpus, std::uint64_t blocks,
                                            std::uint64_t& bytes) {
  weave::CommitUnit woven;
  const Cid creator(crypto::blake3(owner));
  crypto::SignatureBytes signature;
  signature.fill(1);
  const auto add = [&](thought::Thought thought, bool by_tree) {
    thought.created_by = creator;
    thought.cid = thought::cid_of(thought);
    if (by_tree) woven.leaves.push_back(thought.cid);
    else thought.signature = signature;
    woven.thoughts.push_back(std::move(thought));
    return woven.thoughts.back().cid;
  };
  const auto contain = [&](const Cid& from, const Cid& to, std::uint64_t index) {
    thought::Connection edge{
        .relation = "contains", .from = from, .to = to, .index = index, .created_by = creator};
    woven.leaves.push_back(thought::cid_of(edge));
    woven.connections.push_back(std::move(edge));
  };
  thought::Thought head;
  head.type = "test/conversation";
  head.content = {{"format", "test"}, {"session_id", std::to_string(number)}, {"source", "x"}};
  woven.conversation = add(head, false);
  Cid turn;
  for (std::uint64_t i = 0; i < blocks; ++i) {
    if (i % kBlocksInTurn == 0) {
      thought::Thought opened;
      opened.type = "test/turn";
      opened.content = {{"conversation", woven.conversation.str()},
                        {"role", i / kBlocksInTurn % 2 == 0 ? "human" : "assistant"},
                        {"sequence", i / kBlocksInTurn}};
      turn = add(opened, true);
      contain(woven.conversation, turn, i / kBlocksInTurn);
    }
    thought::Thought block;
    block.type = i % 3 == 0 ? "test/tool_result" : "test/response";
    std::string text = corpus.text();
    bytes += text.size();
    block.content = {{i % 3 == 0 ? "result_text" : "text", std::move(text)}};
    block.created_at = static_cast<Millis>(1'700'000'000'000 + number * 1000 + i);
    contain(turn, add(block, false), i % kBlocksInTurn);
  }
  thought::Thought checkpoint;
  checkpoint.type = std::string(thought::kCheckpointType);
  checkpoint.content = to_content(thought::Checkpoint{.conversation = woven.conversation,
                                                      .leaves = woven.leaves.size(),
                                                      .root = thought::Tree(woven.leaves).root()});
  woven.checkpoint = add(checkpoint, false);
  sign_by_tree(woven);
  return woven;
}

}  // namespace weft::bench

#include "weft/capture/resume/copied_blocks.hpp"

#include <string>
#include <unordered_map>

#include "weft/formats/reading/text.hpp"
#include "weft/formats/writing/session_dialogue.hpp"

namespace weft::capture {
namespace {

using transcript::Block;

constexpr std::string_view kEmptyResult = "result\n";

// What a writer leaves as it is, whatever the format: two blocks with the same are copies of each
// other. Empty for a block that is not written.
std::string substance_of(const Block& block) {
  if (const auto* call = std::get_if<transcript::ToolCall>(&block.body)) {
    return "call\n" + canonical_json(formats::arguments_in(*call));
  }
  if (const auto* result = std::get_if<transcript::ToolResult>(&block.body)) {
    return std::string(kEmptyResult).append(formats::trim(formats::result_text(*result)));
  }
  if (const auto* thinking = std::get_if<transcript::Thinking>(&block.body)) {
    return thinking->signature ? "signed\n" + *thinking->signature : std::string();
  }
  if (const auto* redacted = std::get_if<transcript::RedactedThinking>(&block.body)) {
    return "signed\n" + redacted->data;
  }
  const auto* file = std::get_if<transcript::Attachment>(&block.body);
  if (file != nullptr && file->data) return "file\n" + *file->data;
  const std::string_view words = formats::trim(formats::words_in(block));
  if (words.empty()) return {};
  const bool is_answer =
      block.author == transcript::Author::model && formats::is<transcript::Text>(block);
  return (is_answer ? "answer\n" : "words\n") + std::string(words);
}

}  // namespace

std::vector<CopiedBlock> pair_copies(const transcript::Conversation& original,
                                     const std::vector<Cid>& cids,
                                     const transcript::Conversation& copy) {
  // Of equal blocks the first copy is of the first.
  std::unordered_map<std::string, std::vector<Cid>> waiting;
  std::size_t at = 0;
  for (const transcript::Turn& turn : original.turns) {
    for (const Block& block : turn.blocks) {
      const Cid& cid = cids[at++];
      std::string substance = substance_of(block);
      const auto* result = std::get_if<transcript::ToolResult>(&block.body);
      // Some writers send a result's structured form if it has no text, others send nothing.
      if (result != nullptr && result->text.empty() && substance != kEmptyResult) {
        waiting[std::string(kEmptyResult)].push_back(cid);
      }
      if (!substance.empty()) waiting[std::move(substance)].push_back(cid);
    }
  }
  std::unordered_map<std::string, std::size_t> taken;
  std::vector<CopiedBlock> pairs;
  for (const transcript::Turn& turn : copy.turns) {
    for (const Block& block : turn.blocks) {
      std::string substance = substance_of(block);
      const auto found = waiting.find(substance);
      if (found == waiting.end()) continue;
      std::size_t& next = taken[std::move(substance)];
      if (next < found->second.size()) pairs.push_back({&block, found->second[next++]});
    }
  }
  return pairs;
}

}  // namespace weft::capture

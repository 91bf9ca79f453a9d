#include "weft/thought/resumption.hpp"

#include <algorithm>

#include "weft/base/hex.hpp"

namespace weft::thought {

json::object to_content(const Resumption& resumption) {
  std::string keys;
  json::array blocks;
  for (const Resumption::Copy& copy : resumption.copies) {
    append_hex(keys, copy.key);
    blocks.emplace_back(copy.block.str());
  }
  return {{"continues", resumption.conversation.str()},
          {"format", resumption.format},
          {"session_id", resumption.session_id},
          {"keys", keys},
          {"blocks", std::move(blocks)}};
}

Result<Resumption> to_resumption(const Thought& thought) {
  const auto malformed = [] {
    return fail(ErrorCode::invalid_input, "resumption: malformed content");
  };
  const auto conversation = Cid::parse(find_string(thought.content, "continues").value_or(""));
  const auto format = find_string(thought.content, "format");
  const auto session = find_string(thought.content, "session_id");
  const auto keys = find_string(thought.content, "keys");
  const json::array* blocks = find_array(thought.content, "blocks");
  if (thought.type != kResumptionType || thought.source || thought.layers != Layers{} ||
      !conversation || !format || !session || !keys || blocks == nullptr ||
      thought.content.size() != 5) {
    return malformed();
  }
  Resumption resumption{.conversation = *conversation,
                        .format = std::string(*format),
                        .session_id = std::string(*session)};
  const std::size_t digits = 2 * sizeof(Resumption::Copy::key);
  if (keys->size() != digits * blocks->size()) return malformed();
  for (std::size_t i = 0; i < blocks->size(); ++i) {
    const json::value& block = (*blocks)[i];
    const auto cid = Cid::parse(block.is_string() ? view(block.get_string()) : "");
    if (!cid) return malformed();
    Resumption::Copy copy{.block = *cid};
    if (!parse_hex(keys->substr(i * digits, digits), copy.key)) return malformed();
    resumption.copies.push_back(copy);
  }
  return resumption;
}

}  // namespace weft::thought

#include "weft/thought/tombstone.hpp"

#include <algorithm>

namespace weft::thought {
namespace {

json::array to_array(const std::vector<Cid>& cids) {
  json::array array;
  for (const Cid& cid : cids) array.emplace_back(cid.str());
  return array;
}

// One list has one spelling.
std::optional<std::vector<Cid>> find_cids(const json::object& content, std::string_view key) {
  const json::array* array = find_array(content, key);
  if (array == nullptr) return std::nullopt;
  std::vector<Cid> cids;
  for (const json::value& value : *array) {
    if (!value.is_string()) return std::nullopt;
    const Result<Cid> cid = Cid::parse(std::string_view(value.get_string()));
    if (!cid || (!cids.empty() && !(cids.back() < *cid))) return std::nullopt;
    cids.push_back(*cid);
  }
  return cids;
}

}  // namespace

bool Tombstone::lists(const Cid& cid) const {
  return std::ranges::binary_search(conversations, cid) ||
         std::ranges::binary_search(forgotten, cid);
}

json::object to_content(const Tombstone& tombstone) {
  return {{"conversations", to_array(tombstone.conversations)},
          {"forgotten", to_array(tombstone.forgotten)},
          {"thoughts", tombstone.thoughts}};
}

Result<Tombstone> to_tombstone(const Thought& thought) {
  std::optional<std::vector<Cid>> conversations = find_cids(thought.content, "conversations");
  std::optional<std::vector<Cid>> forgotten = find_cids(thought.content, "forgotten");
  const std::optional<std::int64_t> thoughts = find_int(thought.content, "thoughts");
  if (thought.type != kTombstoneType || thought.source || !thought.because.empty() ||
      thought.layers != Layers{} || !conversations || conversations->empty() || !forgotten ||
      !thoughts || *thoughts < 0 || thought.content.size() != 3) {
    return fail(ErrorCode::invalid_input, "tombstone: malformed content");
  }
  return Tombstone{.conversations = *std::move(conversations),
                   .forgotten = *std::move(forgotten),
                   .thoughts = static_cast<std::uint64_t>(*thoughts)};
}

}  // namespace weft::thought

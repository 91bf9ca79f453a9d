#include "weft/thought/tombstone.hpp"

#include <algorithm>

namespace weft::thought {
namespace {

json::array to_array(const std::vector<Cid>& cids) {
  json::array array;
  for (const Cid& cid : cids) array.emplace_back(cid.str());
  return array;
}

constexpr std::int64_t kSealedVersion = 2;

enum class Order { sorted, any };

// A sorted list has one spelling.
std::optional<std::vector<Cid>> find_cids(const json::object& content, std::string_view key,
                                          Order order = Order::sorted) {
  const json::array* array = find_array(content, key);
  if (array == nullptr) return std::nullopt;
  std::vector<Cid> cids;
  for (const json::value& value : *array) {
    if (!value.is_string()) return std::nullopt;
    const Result<Cid> cid = Cid::parse(std::string_view(value.get_string()));
    const bool is_in_order = cids.empty() || order == Order::any || cids.back() < *cid;
    if (!cid || !is_in_order) return std::nullopt;
    cids.push_back(*cid);
  }
  return cids;
}

}  // namespace

bool Tombstone::lists(const Cid& cid) const {
  return std::ranges::binary_search(conversations, cid) ||
         std::ranges::binary_search(forgotten, cid);
}

std::optional<Cid> Tombstone::find_sealed(const Cid& clear) const {
  const auto found = std::ranges::lower_bound(forgotten, clear);
  if (sealed_as.empty() || found == forgotten.end() || *found != clear) return std::nullopt;
  return sealed_as[static_cast<std::size_t>(found - forgotten.begin())];
}

json::object to_content(const Tombstone& tombstone) {
  json::object content{{"conversations", to_array(tombstone.conversations)},
                       {"forgotten", to_array(tombstone.forgotten)},
                       {"thoughts", tombstone.thoughts}};
  if (tombstone.sealed_as.empty()) return content;
  content["sealed_as"] = to_array(tombstone.sealed_as);
  content["version"] = kSealedVersion;
  return content;
}

Result<Tombstone> to_tombstone(const Thought& thought) {
  const json::object& content = thought.content;
  std::optional<std::vector<Cid>> conversations = find_cids(content, "conversations");
  std::optional<std::vector<Cid>> forgotten = find_cids(content, "forgotten");
  const std::optional<std::int64_t> thoughts = find_int(content, "thoughts");
  std::optional<std::vector<Cid>> sealed_as = std::vector<Cid>();
  const bool is_of_sealed = content.contains("version");
  if (is_of_sealed) sealed_as = find_cids(content, "sealed_as", Order::any);
  const auto malformed = [] {
    return fail(ErrorCode::invalid_input, "tombstone: malformed content");
  };
  const bool is_bare = thought.type == kTombstoneType && !thought.source &&
                       thought.because.empty() && thought.layers == Layers{} &&
                       content.size() == (is_of_sealed ? 5u : 3u);
  if (!is_bare || !conversations || !forgotten || !thoughts || *thoughts < 0 || !sealed_as) {
    return malformed();
  }
  const bool is_right = is_of_sealed ? find_int(content, "version") == kSealedVersion &&
                                           !forgotten->empty() && conversations->empty() &&
                                           sealed_as->size() == forgotten->size()
                                     : !conversations->empty();
  if (!is_right) return malformed();
  return Tombstone{.conversations = *std::move(conversations),
                   .forgotten = *std::move(forgotten),
                   .thoughts = static_cast<std::uint64_t>(*thoughts),
                   .sealed_as = *std::move(sealed_as)};
}

}  // namespace weft::thought

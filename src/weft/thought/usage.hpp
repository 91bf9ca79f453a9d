// Converts model requests to the content of a `usage` thought and back: the requests of one commit
// in columns (docs/formats/thought.md, "Usage").
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "weft/base/json.hpp"
#include "weft/crypto/keyring.hpp"
#include "weft/transcript/request.hpp"

namespace weft::thought {

inline constexpr std::string_view kUsageKind = "usage";

// A request under hashes of its names, by which a copy in another conversation of the same owner is
// recognised. Without the keyring they reveal nothing.
struct CountedRequest {
  std::uint64_t message = 0;  // 0 if the source names neither: never for what name_request() made
  std::uint64_t request = 0;  // 0 if the source does not name it
  transcript::Request counts{};  // without names

  std::pair<std::uint64_t, std::uint64_t> key() const { return {message, request}; }
  friend bool operator==(const CountedRequest&, const CountedRequest&) = default;
};

// Replaces the names of a request by their hashes. One without names is hashed by its time, model
// and counts.
CountedRequest name_request(transcript::Request request, const crypto::Keyring& keyring);

// Of two statements of one request, whether `other` holds: one of the conversation's own rather
// than a sidechain's, then the one with more tokens, then the one that states a higher cost, then
// the one that states its speed.
bool is_better(const transcript::Request& other, const transcript::Request& than);
// What it compares: the higher one holds.
using StatementRank = std::tuple<bool, std::int64_t, std::int64_t, bool>;
StatementRank rank_of(bool is_sidechain, const transcript::Tokens& tokens,
                      std::optional<std::int64_t> stated_cost, bool states_speed);

json::object to_content(const std::vector<CountedRequest>& requests);
// Columns that are absent or malformed are empty. Never more rows than the content has.
std::vector<CountedRequest> parse_usage(const json::object& content);

}  // namespace weft::thought

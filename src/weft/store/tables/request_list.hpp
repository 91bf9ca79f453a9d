// Model requests as tables keep them: what cost and figures of tokens need of each, small enough to
// add up hundreds of thousands for one answer.
//
// The full statements are in usage thoughts (thought/usage.hpp).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "weft/base/result.hpp"
#include "weft/thought/usage.hpp"

namespace weft::store {

// Names of models by number, in the order they came.
class ModelNames {
 public:
  // Adds one that is new.
  std::uint32_t number_of(std::string_view name);
  const std::string& operator[](std::uint32_t number) const { return names_[number]; }
  std::size_t size() const { return names_.size(); }

 private:
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  std::vector<std::string> names_;
  std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> numbers_;
};

// A statement of a request, or the one that counts.
struct RequestEntry {
  std::uint64_t message = 0, request = 0;  // hashed names, as in thought::CountedRequest
  std::optional<Millis> time{};
  std::uint32_t model = 0;  // its number in the ModelNames beside it
  bool is_sidechain = false;
  bool states_speed = false;
  transcript::Tokens tokens{};
  std::optional<std::int64_t> stated_cost{};  // in billionths of a dollar

  std::pair<std::uint64_t, std::uint64_t> key() const { return {message, request}; }
  friend bool operator==(const RequestEntry&, const RequestEntry&) = default;
};

RequestEntry to_entry(const thought::CountedRequest& request, ModelNames& models);

// Keeps of several statements of one request the one that counts (thought::is_better; of equals the
// earliest), and sorts by time and names. The order of the statements does not matter.
void merge_statements(std::vector<RequestEntry>& requests, const ModelNames& models);

// As stored (docs/formats/store.md, "Requests"); empty for none. Bytes that cannot be read are
// `corrupt`.
std::string pack(const std::vector<RequestEntry>& requests, const ModelNames& models);
// Appends to `out`, with the numbers that `models` gives.
Status unpack_requests(std::string_view bytes, ModelNames& models, std::vector<RequestEntry>& out);

}  // namespace weft::store

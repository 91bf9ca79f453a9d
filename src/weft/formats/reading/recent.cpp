#include "weft/formats/reading/recent.hpp"

#include <algorithm>

#include "weft/formats/reading/text.hpp"

namespace weft::formats {
namespace {

std::int64_t number_of(std::string_view text) { return static_cast<std::int64_t>(hash_of(text)); }

}  // namespace

bool Recent::has(std::string_view text) const {
  return std::ranges::find(hashes_, number_of(text)) != hashes_.end();
}

bool Recent::add(std::string_view text) {
  const std::int64_t hash = number_of(text);
  if (std::ranges::find(hashes_, hash) != hashes_.end()) return false;
  hashes_.push_back(hash);
  if (hashes_.size() > most_) hashes_.pop_front();
  return true;
}

json::array Recent::save() const { return json::array(hashes_.begin(), hashes_.end()); }

bool Recent::restore(const json::array* state) {
  if (state == nullptr || state->size() > most_) return false;
  std::deque<std::int64_t> hashes;
  for (const json::value& hash : *state) {
    if (!hash.is_int64()) return false;
    hashes.push_back(hash.get_int64());
  }
  hashes_ = std::move(hashes);
  return true;
}

}  // namespace weft::formats

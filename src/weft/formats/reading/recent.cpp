#include "weft/formats/reading/recent.hpp"

#include <algorithm>

#include "weft/base/state_archive.hpp"
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

void Recent::archive(StateArchive& a, std::string_view key) { a.field(key, hashes_, most_); }

}  // namespace weft::formats

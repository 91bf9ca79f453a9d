#include "weft/formats/reading/text.hpp"

#include <xxhash.h>

#include <algorithm>

#include "weft/base/utf8.hpp"
#include "weft/crypto/blake3.hpp"

namespace weft::formats {
namespace {

constexpr std::string_view kSlashes = "/\\";

bool is_hex(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

}  // namespace

std::string_view trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::string one_line(std::string_view text, std::size_t limit) {
  // Enough bytes for that many code points, so that a long text is not walked through.
  constexpr std::size_t kLongestCodePoint = 4;
  std::string line;
  for (const char c : trim(text)) {
    if (line.size() > limit * kLongestCodePoint) break;
    const bool is_blank = kBlanks.find(c) != std::string_view::npos;
    if (is_blank && line.ends_with(' ')) continue;
    line += is_blank ? ' ' : c;
  }
  return std::string(slice_code_points(line, 0, limit));
}

std::string first_line(std::string_view text, std::size_t limit) {
  text = trim(text);
  return std::string(slice_code_points(trim(text.substr(0, text.find('\n'))), 0, limit));
}

std::string_view last_component(std::string_view path) {
  const std::size_t last = path.find_last_not_of(kSlashes);
  if (last == std::string_view::npos) return {};
  path = path.substr(0, last + 1);
  const std::size_t slash = path.find_last_of(kSlashes);
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

std::string_view parent_folder(std::string_view path) {
  const std::size_t end = path.find_last_not_of("/\\");
  const std::size_t slash = path.substr(0, end + 1).find_last_of("/\\");
  return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
}

std::vector<std::string_view> components(std::string_view path) {
  std::vector<std::string_view> parts;
  while (!path.empty()) {
    const std::size_t slash = std::min(path.find_first_of(kSlashes), path.size());
    if (slash > 0) parts.push_back(path.substr(0, slash));
    path.remove_prefix(std::min(slash + 1, path.size()));
  }
  return parts;
}

std::string_view stem_of(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  return dot == std::string_view::npos || dot == 0 ? name : name.substr(0, dot);
}

bool is_one_of(std::string_view name, std::span<const std::string_view> names) {
  return std::ranges::find(names, name) != names.end();
}

bool is_uuid(std::string_view text) {
  if (text.size() != 36) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_dash = i == 8 || i == 13 || i == 18 || i == 23;
    if (is_dash ? text[i] != '-' : !is_hex(text[i])) return false;
  }
  return true;
}

std::uint64_t hash_of(std::string_view text) {
  const Digest digest = crypto::blake3(text);
  std::uint64_t hash = 0;
  for (std::size_t i = 0; i < sizeof hash; ++i) hash = hash << 8 | digest[i];
  return hash;
}

std::uint64_t quick_hash_of(std::string_view text) { return XXH3_64bits(text.data(), text.size()); }

std::string normal_key(std::string_view key) {
  std::string normal;
  for (const char c : key)
    normal +=
        c == ' ' || c == '-' ? '_' : (c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c);
  return normal;
}

}  // namespace weft::formats

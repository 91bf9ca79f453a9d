// Folds text, so that words that differ only in case or compatibility forms become equal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace weft::search {

// Maximum number of bytes of a word that are folded: no term is longer.
inline constexpr std::size_t kMaxFoldedBytes = 1024;

// Folds an ASCII byte: only the case changes.
void append_lower(std::string_view ascii, std::string& out);

// Keeps its buffer between calls, so that folding a text word by word hardly allocates.
class Folder {
 public:
  // Appends Unicode's NFKC_Casefold of `text`, or of its first kMaxFoldedBytes. Accents stay.
  // Invalid UTF-8 folds to nothing.
  void append(std::string_view text, std::string& out);

 private:
  std::vector<std::int32_t> points_;
};

}  // namespace weft::search

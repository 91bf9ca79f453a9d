// Folding: what differs in case or in compatibility forms alone becomes the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace weft::search {

// More than this of one word is not looked at: no term is as long, however it folds.
inline constexpr std::size_t kMaxFoldedBytes = 1024;

// Of ASCII: all that folding does there.
void append_lower(std::string_view ascii, std::string& out);

// Keeps its room between calls, so that folding a text word by word allocates next to nothing.
class Folder {
 public:
  // Appends Unicode's NFKC_Casefold of `text`, or of its first kMaxFoldedBytes. Accents stay.
  // What is no UTF-8 folds to nothing.
  void append(std::string_view text, std::string& out);

 private:
  std::vector<std::int32_t> points_;
};

}  // namespace weft::search

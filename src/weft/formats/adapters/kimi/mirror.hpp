// Compares a wire file with the context beside it: which of its content does the context repeat?
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_set>

#include "weft/formats/reading/turn_builder.hpp"

namespace weft::formats::kimi {

class Mirror {
 public:
  // Reads all of the wire.
  explicit Mirror(std::string_view wire);

  // Calls and results are known by their ids, all else by how it begins. What a person typed as
  // a command stands in a context as what the program made of it: then no prompt is missing.
  bool has(const AuthoredBlock& block) const;
  // It has turns, but no words in them: it is no mirror of anything.
  bool is_silent() const { return words_.empty(); }

 private:
  std::unordered_set<std::uint64_t> words_;
  bool has_commands_ = false;
};

}  // namespace weft::formats::kimi

// LineOrigins: who wrote each line of a text that is replaced again and again.
//
//   LineOrigins file;
//   file.become("a\nb\n");        // as it was found
//   file.become("a\nc\n", 7);     // number 7 wrote the second line
//   file.become("x\na\nc\n");     // somebody else wrote the first
//   file.origins();               // nobody, nobody, 7
//
// A line that somebody with a number took away, and that is put back later by one, has the origin
// that it had: undoing a change writes nothing. Lines that say too little to be recognised
// (is_telling) are always new.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace weft::edits {

class LineOrigins {
 public:
  using Origin = std::optional<std::size_t>;

  // The text is now this one. Lines that stay keep their origin; new ones have this one.
  void become(std::string text, Origin origin = {});

  const std::string& text() const { return text_; }
  const std::vector<Origin>& origins() const { return origins_; }  // one for each line

 private:
  std::optional<Origin> put_back(std::string_view line);

  std::string text_;
  std::vector<Origin> origins_;
  std::unordered_map<std::string, std::vector<Origin>> taken_away_;  // by line, without white space
};

}  // namespace weft::edits

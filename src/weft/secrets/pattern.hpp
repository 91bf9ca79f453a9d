// Pattern: the shape of a token. Literal characters stand for themselves, `[c N]` for N characters
// of class c, `[c N-M]` for N to M, as many as there are:
//
//   "AKIA[b16]"            AKIA and 16 characters of base32
//   "SG.[u22].[u43]"
//
// Classes: d digits, h hexadecimal, x lower-case hexadecimal, b A-Z 2-7, A A-Z 0-9, l letters,
// a letters and digits, w those and _, u those and -, s base64, t those of u, and . + / = ~.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace weft::secrets {

bool is_in_class(char c, char name);

// Whether `text` ends with an escape of JSON, such as \n: its letter does not belong to the word
// that follows.
bool ends_with_escape(std::string_view text);

class Pattern {
 public:
  // Precondition: `text` is a pattern; ours are constants, and a test reads all of them.
  explicit Pattern(std::string_view text);

  // How many characters of `text`, from its first one, are such a token; it may not go on with a
  // character of its last class.
  std::optional<std::size_t> match(std::string_view text) const;
  // The same backwards from the end of `text`; of patterns of one class.
  std::optional<std::size_t> match_before(std::string_view text) const;

  // What it begins with.
  std::string_view literal() const { return parts_.front().literal; }

 private:
  struct Part {
    std::string_view literal{};  // or a class
    char name = 0;
    std::size_t least = 0, most = 0;
  };
  std::vector<Part> parts_;
};

}  // namespace weft::secrets

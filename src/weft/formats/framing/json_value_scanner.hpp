// Finds the end of a JSON value in bytes that come in pieces. It counts brackets outside of
// strings, so it works on values that are not valid JSON, too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace weft::formats {

class JsonValueScanner {
 public:
  void start();

  struct Step {
    std::size_t outcome = 0;  // bytes that belong to the value
    bool done = false;        // the value ends behind them
  };
  Step feed(std::string_view bytes);

 private:
  enum class Kind { fresh, bracketed, quoted, bare };
  void open(char bracket);
  // Closes the opener of `bracket` and everything left open inside it. A bracket without an
  // opener in the value closes nothing.
  void close(char bracket);
  bool is_closed() const { return open_.empty() && deeper_ == 0; }
  std::size_t skip_string(std::string_view bytes);

  Kind kind_ = Kind::fresh;
  std::string open_;          // the outer brackets
  std::uint64_t deeper_ = 0;  // how many are open inside those
  bool in_string_ = false, escaped_ = false;
};

// How many bytes of a JSON string's text come before its next `"` or `\\`.
std::size_t count_unmarked(std::string_view text);

}  // namespace weft::formats

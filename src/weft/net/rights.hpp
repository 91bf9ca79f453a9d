// Rights: what somebody may do on the HTTP server.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace weft::net {

enum class Right : std::uint8_t {
  read = 1,    // ask: tools that change nothing, resources, the page's questions
  push = 2,    // add: tools that write into the store
  keeper = 4,  // see what the keeper of the web does, and what it found
};
inline constexpr std::array kAllRights = {Right::read, Right::push, Right::keeper};

std::string_view to_string(Right right);  // "read"

class Rights {
 public:
  Rights() = default;  // none
  Rights(std::initializer_list<Right> rights) {
    for (const Right right : rights) add(right);
  }
  static Rights all();

  // Reads "read,push": one or more of the names, each once, without spaces.
  static std::optional<Rights> parse(std::string_view text);
  std::string str() const;  // the same, in the order of kAllRights

  void add(Right right) { bits_ |= static_cast<std::uint8_t>(right); }
  bool has(Right right) const { return (bits_ & static_cast<std::uint8_t>(right)) != 0; }
  bool empty() const { return bits_ == 0; }

  friend bool operator==(const Rights&, const Rights&) = default;

 private:
  std::uint8_t bits_ = 0;
};

}  // namespace weft::net

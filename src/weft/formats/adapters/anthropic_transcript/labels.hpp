// The labels that lines of a transcript's text form begin with: "Key: value" and "Human:".
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "weft/formats/framing/lines.hpp"
#include "weft/transcript/conversation.hpp"

namespace weft::formats::anthropic {

// "Key: value". The key is normal (normal_key); a value in JSON's quotes is the string they
// quote. Empty for any other line.
struct Label {
  std::string key;
  std::optional<std::string> value;  // empty where nothing follows the colon
};
std::optional<Label> label_of(std::string_view line);
// Writes a label that label_of() reads back.
void append_label(std::string& out, std::string_view key, std::string_view value);

// The role of a line "Human:"; empty for any other line.
std::optional<transcript::Role> role_line(const Line& line);

}  // namespace weft::formats::anthropic

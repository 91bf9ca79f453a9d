#include "weft/formats/apis/anthropic/agent_marks.hpp"

#include <algorithm>

namespace weft::formats::anthropic {
namespace {

bool is_mark(std::string_view text) {
  return text.starts_with("<task>\n") || text.starts_with("<environment_details>") ||
         text.starts_with("[TASK RESUMPTION]");
}

}  // namespace

bool has_agent_mark(const PartialObject& message) {
  if (const auto text = message.string("content")) return is_mark(*text);
  return std::ranges::any_of(message.elements("content"), [](const PartialObject& block) {
    const auto text = block.string("text");
    return text && is_mark(*text);
  });
}

}  // namespace weft::formats::anthropic

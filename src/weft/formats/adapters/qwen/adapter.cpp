// Sessions of Qwen Code: one JSON record a line, each naming the record that it follows, with
// messages in the form of Google's API. Subagents have files of their own. See qwen/session.hpp.
#include <memory>

#include "weft/formats/adapters/qwen/places.hpp"
#include "weft/formats/adapters/qwen/session.hpp"

namespace weft::formats {
namespace {

std::unique_ptr<Framer> frame(std::string_view /*head*/) { return qwen::glued_line_framer(); }

std::unique_ptr<Reader> open(const SourceInfo& info) {
  return std::make_unique<qwen::SessionReader>(info);
}

}  // namespace

const Adapter& qwen_adapter() {
  static constexpr Adapter adapter{
      .name = qwen::kName,
      .family = "qwen",
      .version = 3,
      .recognises = qwen::recognises,
      .frame = frame,
      .open = open,
      .grows = true,
      .folders = qwen::folders,
      .ignore_reason = qwen::ignore_reason,
      .project = qwen::project,
  };
  return adapter;
}

}  // namespace weft::formats

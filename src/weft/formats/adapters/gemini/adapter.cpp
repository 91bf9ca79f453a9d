// Chats of Gemini CLI: one JSON document that is rewritten at every message, or, from version
// 0.40 on, a log of JSON lines that are replayed; see gemini/session.hpp. Both have the same
// messages under the same ids, so a migrated chat is one conversation.
#include <memory>

#include "weft/formats/adapters/gemini/places.hpp"
#include "weft/formats/adapters/gemini/session.hpp"
#include "weft/formats/apis/google/cli_files.hpp"

namespace weft::formats {
namespace {

std::unique_ptr<Reader> open(const SourceInfo& info) {
  return std::make_unique<gemini::SessionReader>(info);
}

}  // namespace

const Adapter& gemini_adapter() {
  static constexpr Adapter adapter{
      .name = gemini::kName,
      .family = "google",
      .version = 3,
      .recognises = gemini::recognises,
      .frame = gemini::frame,
      .open = open,
      .grows = true,
      .folders = gemini::folders,
      .ignore_reason = google::cli_ignore_reason,
      .project = gemini::project,
      .reach = 2,
  };
  return adapter;
}

}  // namespace weft::formats

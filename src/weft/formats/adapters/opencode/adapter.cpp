// Sessions of OpenCode and its forks: in files (opencode/tree.cpp), in a database
// (opencode/database.cpp), as printed by `opencode export` and the server, and as events of the
// server and of `opencode run --format json`.
#include "weft/formats/adapters/opencode/places.hpp"
#include "weft/formats/adapters/opencode/reader.hpp"
#include "weft/formats/adapters/opencode/record.hpp"

namespace weft::formats {
namespace {

std::unique_ptr<Reader> open(const SourceInfo& info) {
  return std::make_unique<opencode::SessionReader>(info);
}

}  // namespace

const Adapter& opencode_adapter() {
  static constexpr Adapter adapter{
      .name = opencode::kName,
      .family = "opencode",
      .version = 2,
      .recognises = opencode::recognises,
      .frame = opencode::frame,
      .open = open,
      .grows = true,
      .folders = opencode::folders,
      .ignore_reason = opencode::ignore_reason,
      .ignore_folder_reason = opencode::ignore_folder_reason,
      .project = opencode::project,
      .reach = 2,
      .database = &opencode::kDatabase,
      .tree = &opencode::kTree,
  };
  return adapter;
}

}  // namespace weft::formats

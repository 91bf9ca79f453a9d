// Sessions of the pi coding agent, and of those that keep the same files (Oh My Pi): JSON
// lines, a header and then the entries of a tree; see pi/session.hpp.
#include "weft/formats/adapters/pi/entry.hpp"
#include "weft/formats/adapters/pi/session.hpp"
#include "weft/formats/reading/text.hpp"

namespace weft::formats {
namespace {

Confidence recognises(std::string_view head) {
  return pi::recognise_session(pi::Dialect::pi, head);
}

std::unique_ptr<Reader> open(const SourceInfo& info) {
  return pi::open_session(pi::Dialect::pi, info);
}

std::vector<std::string> folders(const Environment& environment) {
  std::vector<std::string> found;
  const auto home = environment("HOME");
  if (const auto sessions = environment("PI_CODING_AGENT_SESSION_DIR")) {
    found.push_back(*sessions);
  } else if (const auto agent = environment("PI_CODING_AGENT_DIR")) {
    found.push_back(*agent + "/sessions");
  } else if (home) {
    found.push_back(*home + "/.pi/agent/sessions");
  }
  if (home) found.push_back(*home + "/.omp/agent/sessions");
  return found;
}

// "--home-me-garden--" is a whole working directory, with dashes for slashes.
std::string project(std::string_view path, std::string_view head) {
  if (std::string name = pi::project_of_header(head); !name.empty()) return name;
  const std::size_t slash = path.find_last_of("/\\");
  if (slash == std::string_view::npos) return {};
  std::string_view folder = last_component(path.substr(0, slash));
  const std::size_t first = folder.find_first_not_of('-');
  if (first == std::string_view::npos) return {};
  folder.remove_prefix(first);
  return std::string(folder.substr(0, folder.find_last_not_of('-') + 1));
}

}  // namespace

const Adapter& pi_adapter() {
  static constexpr Adapter adapter{
      .name = "pi",
      .family = "pi",
      .version = 2,
      .recognises = recognises,
      .frame = frame_lines,
      .open = open,
      .grows = true,
      .folders = folders,
      .ignore_reason = pi::ignore_file_reason,
      .project = project,
  };
  return adapter;
}

}  // namespace weft::formats

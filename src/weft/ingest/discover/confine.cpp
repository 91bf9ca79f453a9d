#include "weft/ingest/discover/confine.hpp"

#include <algorithm>

namespace weft::ingest {

namespace fs = std::filesystem;

std::vector<fs::path> real_roots(const std::vector<fs::path>& roots) {
  std::vector<fs::path> real;
  for (const fs::path& root : roots) {
    std::error_code failed;
    fs::path path = fs::canonical(root, failed);
    if (!failed && !root.empty()) real.push_back(std::move(path));
  }
  return real;
}

bool is_within(const fs::path& path, const std::vector<fs::path>& roots) {
  return std::ranges::any_of(roots, [&](const fs::path& root) {
    return std::ranges::mismatch(root, path).in1 == root.end();
  });
}

Result<fs::path> confined(const fs::path& path, const std::vector<fs::path>& roots) {
  // The system would cut the name at a NUL.
  if (!path.is_absolute() || path.native().find('\0') != std::string::npos) {
    return fail(ErrorCode::invalid_input, "want an absolute path, such as /home/ada/talk.txt");
  }
  std::error_code failed;
  fs::path real = fs::canonical(path, failed);
  if (!failed && is_within(real, real_roots(roots))) return real;
  return fail(ErrorCode::denied, "there is no such file in a folder that may be read");
}

}  // namespace weft::ingest

#include "weft/ingest/source/beside_files.hpp"

#include <algorithm>

#include "weft/ingest/source/source_file.hpp"

namespace weft::ingest {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxBesideBytes = 16u << 20;

}  // namespace

std::optional<fs::path> BesideFiles::find(std::string_view relative) const {
  std::error_code failed;
  const fs::path root = fs::canonical(directory_, failed);
  if (failed) return std::nullopt;
  fs::path above = root;
  // The root directory would reach every file there is.
  for (int i = 0; i < reach_ && above.parent_path().string().size() > 1; ++i) {
    above = above.parent_path();
  }
  fs::path path = fs::canonical(root / relative, failed);
  const bool is_below = !failed && path.string().starts_with(above.string() + "/");
  if (above.string().size() <= 1 || !is_below) return std::nullopt;
  return path;
}

std::optional<fs::path> BesideFiles::find_allowed(std::string_view relative) const {
  std::optional<fs::path> path = find(relative);
  if (!path || (*may_read_ && !(*may_read_)(*path))) return std::nullopt;
  return path;
}

std::optional<std::string> BesideFiles::read(std::string_view relative) const {
  const std::optional<fs::path> path = find(relative);
  if (!path) return std::nullopt;
  Result<SourceFile> file = SourceFile::open(*path);
  if (file && *may_read_) {
    const Result<fs::path> real = file->real_path();
    if (!real || !(*may_read_)(*real)) return std::nullopt;
  }
  if (!file || file->state().size > kMaxBesideBytes) return std::nullopt;
  Result<std::string> text = file->read_at(0, file->state().size);
  if (!text) return std::nullopt;
  return *std::move(text);
}

bool BesideFiles::has(std::string_view relative) const {
  const std::optional<fs::path> path = find_allowed(relative);
  std::error_code failed;
  return path && fs::is_regular_file(*path, failed);
}

std::vector<std::string> BesideFiles::list(std::string_view relative) const {
  const std::optional<fs::path> folder = find_allowed(relative);
  std::vector<std::string> names;
  if (!folder) return names;
  std::error_code failed;
  fs::directory_iterator entries(*folder, failed);
  for (; !failed && entries != fs::directory_iterator(); entries.increment(failed)) {
    std::error_code ignored;
    if (entries->is_regular_file(ignored)) names.push_back(entries->path().filename().string());
  }
  std::ranges::sort(names);
  return names;
}

}  // namespace weft::ingest

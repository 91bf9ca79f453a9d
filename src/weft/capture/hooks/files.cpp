#include "weft/capture/hooks/files.hpp"

#include <algorithm>

#include "weft/ingest/discover/confine.hpp"

namespace weft::capture {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> roots_of(const ingest::Options& known) {
  std::vector<fs::path> roots;
  for (const ingest::Folder& folder : known.folders) roots.push_back(folder.path);
  return roots;
}

// The adapter whose folder contains the file.
const formats::Adapter* adapter_of(const ingest::Options& known, const fs::path& file) {
  for (const ingest::Folder& folder : known.folders) {
    if (ingest::is_within(file, ingest::real_roots({folder.path}))) return folder.adapter;
  }
  return nullptr;
}

}  // namespace

Result<fs::path> hooked_file(const ingest::Options& known, const fs::path& file) {
  return ingest::confined(file, roots_of(known));
}

ingest::Options hooked_options(const ingest::Options& known, const std::vector<fs::path>& files) {
  ingest::Options options = known;
  options.paths = files;
  options.folders.clear();
  options.excludes_named = true;
  options.may_read = [roots = ingest::real_roots(roots_of(known))](const fs::path& real) {
    return ingest::is_within(real, roots);
  };
  std::vector<fs::path> folders;
  for (const fs::path& file : files) {
    const fs::path folder = file.parent_path() / file.stem();
    std::error_code failed;
    if (!fs::is_directory(folder, failed)) continue;
    options.folders.push_back({adapter_of(known, file), folder});
    folders.push_back(folder);
  }
  // A subagent's file is in its session's folder: once is enough.
  std::erase_if(options.paths,
                [&](const fs::path& file) { return ingest::is_within(file, folders); });
  return options;
}

}  // namespace weft::capture

#include "weft/ingest/run/file_list.hpp"

namespace weft::ingest {
namespace fs = std::filesystem;

std::vector<ListedFile> list_files(RunContext& run) {
  const Options& options = run.options;
  const formats::Adapter* forced =
      options.format ? formats::find_adapter(*options.format) : nullptr;
  std::vector<ListedFile> files;
  std::vector<Folder> folders = options.folders;
  for (const fs::path& path : options.paths) {
    std::error_code failed;
    if (fs::is_directory(path, failed)) {
      folders.push_back({forced, path});
      continue;
    }
    const std::uintmax_t size = fs::file_size(path, failed);
    if (!failed) run.report.expect_bytes(size);
    files.push_back({.path = path, .is_named = true});
  }
  for (const store::Source& source : options.archived) {
    const Result<SourceDescription> about = open_description(run.keyring, source);
    run.report.expect_bytes(source.archived);
    files.push_back({.path = about ? about->path : "", .archived = source});
  }
  Finds finds = find_files(folders);
  if (!options.found.empty()) {
    finds.files.insert(finds.files.end(), options.found.begin(), options.found.end());
    sort_for_ingest(finds.files);
  }
  for (const Found& found : finds.files) {
    run.report.expect_bytes(found.size);
    files.push_back({.path = found.path, .adapter = found.adapter, .is_reread = found.is_reread});
  }
  for (IgnoredPath& ignored : finds.ignored) {
    run.report.skip(ignored.path.string(), 0, std::move(ignored.reason));
  }
  for (std::size_t i = 0; i < files.size(); ++i) files[i].number = i;
  run.report.expect_files(files.size());
  return files;
}

}  // namespace weft::ingest

#include "weft/ingest/discover/discover.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <set>
#include <tuple>
#include <utility>

namespace weft::ingest {

namespace fs = std::filesystem;

namespace {

// Deeper than any tool nests its files; a limit for malicious trees.
constexpr int kMaxDepth = 32;

struct CloseDirectory {
  void operator()(DIR* directory) const { ::closedir(directory); }
};

std::string why(int number) {
  return std::strerror(number);  // NOLINT(concurrency-mt-unsafe): glibc's is safe
}

class Walk {
 public:
  Finds finds;

  void enter(const Folder& folder) {
    adapter_ = folder.adapter;
    visit(folder.path, 0);
  }

 private:
  void visit(const fs::path& path, int depth) {
    PathInfo info = inspect_path(adapter_, path, depth);
    switch (info.kind) {
      case PathInfo::Kind::ignored: return ignore(path, std::move(info.reason));
      case PathInfo::Kind::folder:
        // A second visit comes from a link.
        if (directories_.insert(info.identity).second) list(path, depth);
        return;
      case PathInfo::Kind::file:
        if (files_.insert(info.identity).second) finds.files.push_back(std::move(info.found));
    }
  }

  void list(const fs::path& path, int depth) {
    int error = 0;
    const std::vector<std::string> names = list_names(path, error);
    if (error != 0) return ignore(path, why(error));
    for (const std::string& name : names) visit(path / name, depth + 1);
  }

  void ignore(const fs::path& path, std::string reason) {
    finds.ignored.push_back({path, std::move(reason)});
  }

  const formats::Adapter* adapter_ = nullptr;
  std::set<Identity> directories_, files_;
};

PathInfo ignored(std::string reason) { return {.reason = std::move(reason)}; }

}  // namespace

PathInfo inspect_path(const formats::Adapter* adapter, const fs::path& path, int depth) {
  struct stat about{};
  if (::stat(path.c_str(), &about) != 0) return ignored(why(errno));
  const Identity identity{about.st_dev, about.st_ino};
  if (S_ISDIR(about.st_mode)) {
    if (depth == kMaxDepth) return ignored("too deep");
    if (depth > 0 && adapter != nullptr && adapter->ignore_folder_reason != nullptr) {
      if (auto reason = adapter->ignore_folder_reason(path.string()))
        return ignored(*std::move(reason));
    }
    return {.kind = PathInfo::Kind::folder, .identity = identity};
  }
  if (depth == 0) return ignored("is no folder");
  if (adapter != nullptr && adapter->ignore_reason != nullptr) {
    if (auto reason = adapter->ignore_reason(path.string())) return ignored(*std::move(reason));
  }
  if (!S_ISREG(about.st_mode)) return ignored("is not a regular file");
  return {.kind = PathInfo::Kind::file,
          .identity = identity,
          .found = {.path = path,
                    .adapter = adapter,
                    .size = static_cast<std::uint64_t>(about.st_size),
                    .modified_ns = std::int64_t{about.st_mtim.tv_sec} * 1'000'000'000 +
                                   about.st_mtim.tv_nsec}};
}

std::vector<std::string> list_names(const fs::path& folder, int& error) {
  std::vector<std::string> names;
  const std::unique_ptr<DIR, CloseDirectory> directory(::opendir(folder.c_str()));
  error = directory ? 0 : errno;
  if (!directory) return names;
  while (const dirent* entry = ::readdir(directory.get())) {  // NOLINT(concurrency-mt-unsafe)
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") names.emplace_back(name);
  }
  std::ranges::sort(names);
  return names;
}

std::vector<Folder> possible_folders(const formats::Environment& environment) {
  std::vector<Folder> folders;
  for (const formats::Adapter* adapter : formats::all_adapters()) {
    if (adapter->folders == nullptr) continue;
    for (const std::string& path : adapter->folders(environment))
      folders.push_back({adapter, path});
  }
  return folders;
}

std::vector<Folder> known_folders(const formats::Environment& environment) {
  std::vector<Folder> folders = possible_folders(environment);
  std::erase_if(folders, [](const Folder& folder) {
    std::error_code ignored;
    return !fs::is_directory(folder.path, ignored);
  });
  return folders;
}

bool may_be_database(const fs::path& path) {
  const std::string extension = path.extension().string();
  return extension == ".vscdb" || extension == ".db" || extension == ".sqlite";
}

void sort_for_ingest(std::vector<Found>& files) {
  std::ranges::sort(files, [](const Found& left, const Found& right) {
    const bool is_first = may_be_database(left.path), is_second = may_be_database(right.path);
    if (is_first != is_second) return is_first;
    return std::tie(left.modified_ns, left.path.native()) <
           std::tie(right.modified_ns, right.path.native());
  });
}

Finds find_files(const std::vector<Folder>& folders) {
  Walk walk;
  for (const Folder& folder : folders) walk.enter(folder);
  sort_for_ingest(walk.finds.files);
  return std::move(walk.finds);
}

}  // namespace weft::ingest

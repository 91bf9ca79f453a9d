#include "weft/ingest/discover.hpp"

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
namespace {

namespace fs = std::filesystem;

// Deeper than any tool nests its files; a limit for trees that are made to harm.
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
    struct stat about{};
    if (::stat(path.c_str(), &about) != 0) return leave(path, why(errno));
    const std::pair<dev_t, ino_t> identity{about.st_dev, about.st_ino};
    if (S_ISDIR(about.st_mode)) {
      if (!directories_.insert(identity).second) return;  // a link that leads back, or twice
      if (depth == kMaxDepth) return leave(path, "too deep");
      if (depth > 0 && adapter_ != nullptr && adapter_->leaves_folder != nullptr) {
        if (const auto reason = adapter_->leaves_folder(path.string())) return leave(path, *reason);
      }
      return list(path, depth);
    }
    if (depth == 0) return leave(path, "is no folder");
    const std::optional<std::string> reason = adapter_ != nullptr && adapter_->leaves != nullptr
                                                  ? adapter_->leaves(path.string())
                                                  : std::nullopt;
    if (reason) return leave(path, *reason);
    if (!S_ISREG(about.st_mode)) return leave(path, "is not a regular file");
    if (!files_.insert(identity).second) return;
    finds.files.push_back({.path = path,
                           .adapter = adapter_,
                           .size = static_cast<std::uint64_t>(about.st_size),
                           .modified_ns = std::int64_t{about.st_mtim.tv_sec} * 1'000'000'000 +
                                          about.st_mtim.tv_nsec});
  }

  void list(const fs::path& path, int depth) {
    const std::unique_ptr<DIR, CloseDirectory> directory(::opendir(path.c_str()));
    if (!directory) return leave(path, why(errno));
    std::vector<std::string> names;
    while (const dirent* entry = ::readdir(directory.get())) {  // NOLINT(concurrency-mt-unsafe)
      const std::string_view name = entry->d_name;
      if (name != "." && name != "..") names.emplace_back(name);
    }
    std::ranges::sort(names);
    for (const std::string& name : names) visit(path / name, depth + 1);
  }

  void leave(const fs::path& path, std::string reason) {
    finds.left.push_back({path, std::move(reason)});
  }

  const formats::Adapter* adapter_ = nullptr;
  std::set<std::pair<dev_t, ino_t>> directories_, files_;
};

}  // namespace

std::vector<Folder> known_folders(const formats::Environment& environment) {
  std::vector<Folder> folders;
  for (const formats::Adapter* adapter : formats::all_adapters()) {
    if (adapter->folders == nullptr) continue;
    for (const std::string& path : adapter->folders(environment)) {
      std::error_code ignored;
      if (fs::is_directory(path, ignored)) folders.push_back({adapter, path});
    }
  }
  return folders;
}

Finds find_files(const std::vector<Folder>& folders) {
  Walk walk;
  for (const Folder& folder : folders) walk.enter(folder);
  std::ranges::sort(walk.finds.files, {}, [](const Found& found) {
    return std::tie(found.modified_ns, found.path.native());
  });
  return std::move(walk.finds);
}

}  // namespace weft::ingest

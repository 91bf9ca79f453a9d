#include "weft/query/commits/edited_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "weft/base/try.hpp"
#include "weft/query/ask/facts.hpp"
#include "weft/query/ask/foreigners.hpp"
#include "weft/query/commits/repository_file.hpp"
#include "weft/query/edits/call_edits.hpp"
#include "weft/query/edits/known_edits.hpp"
#include "weft/thought/seal.hpp"

namespace weft::query {
namespace {

namespace fs = std::filesystem;

Result<std::vector<std::string>> paths_changed_by(const Library& library, const Cid& request) {
  WEFT_TRY_VALUE(const auto thought, library.web.get_without_path(request));
  std::vector<std::string> paths =
      paths_of(edits_in(thought::open_content(thought, library.keyring), nullptr));
  if (!paths.empty()) return paths;
  return fail(ErrorCode::not_found, request.str() +
                                        " is no call that changed a file, or it is sealed: name a "
                                        "call that weft diff lists");
}

// The edit of this path, by a conversation of the owner if there is one.
Result<KnownEdit> find_edit(const Library& library, const Cid& request, const std::string& path,
                            const QueryControl& control) {
  WEFT_TRY_VALUE(const auto known, known_edits(library, file_name_of(path), control));
  Foreigners foreigners(library);
  bool is_known = false;
  for (const KnownEdit& edit : known.entries) {
    if (edit.request != request || edit.path != path) continue;
    is_known = true;
    WEFT_TRY_VALUE(const auto row, library.web.conversation(edit.conversation));
    if (!foreigners.is_foreign_creator(row.created_by)) return edit;
  }
  if (is_known) {
    return fail(ErrorCode::denied,
                path +
                    " was changed by a conversation that was imported from somebody else; only "
                    "files that your own conversations changed are shown");
  }
  return fail(ErrorCode::not_found, "the call did not change " + path + ": it failed");
}

Error not_in_a_repository(const fs::path& path) {
  return {ErrorCode::denied,
          path.string() +
              " lies in no git repository of yours, and only files of these are shown; "
              "weft blame " +
              path.string() + " shows it in a terminal"};
}

// The nearest folder above with a repository, by the names in the path alone: no link is followed.
fs::path root_above(const fs::path& path) {
  std::error_code failed;
  for (fs::path folder = path.parent_path(); folder.has_relative_path();
       folder = folder.parent_path()) {
    if (fs::exists(folder / ".git", failed)) return folder;
  }
  return {};
}

// Where the file should be: the root of its repository, and its name below it.
struct Wanted {
  fs::path root;
  std::string name;
};
Result<Wanted> locate(const KnownEdit& edit, const std::string& directory,
                      const std::stop_token& stop) {
  fs::path named(edit.path);
  if (named.is_relative()) named = fs::path(directory) / named;
  named = named.lexically_normal();
  std::error_code failed;
  const bool is_here = named.is_absolute() && fs::exists(fs::symlink_status(named, failed));
  if (is_here) {
    const fs::path root = root_above(named);
    if (root.empty()) return fail(not_in_a_repository(named));
    return Wanted{fs::canonical(root, failed), named.lexically_relative(root).generic_string()};
  }
  // It was moved, or its working tree is gone.
  WEFT_TRY_VALUE(auto found, RepositoryFiles(std::nullopt, stop).find(edit.path, directory));
  if (found && !found->now.empty()) return Wanted{found->repository.root, std::move(found->now)};
  return fail(ErrorCode::not_found,
              named.string() +
                  " is not here any more: it was removed, or its folder was. What was "
                  "changed in it is in weft log " +
                  named.string());
}

}  // namespace

Result<EditedFile> find_edited_file(const Library& library, const Cid& request,
                                    const EditedFileOptions& options) {
  WEFT_TRY_VALUE(const auto paths, paths_changed_by(library, request));
  if (options.number >= paths.size()) {
    return fail(
        ErrorCode::invalid_input,
        fmt::format("file: the call changed {} files, and they are counted from 0", paths.size()));
  }
  WEFT_TRY_VALUE(const KnownEdit edit,
                 find_edit(library, request, paths[options.number], options.control));
  WEFT_TRY_VALUE(const auto row, library.web.conversation(edit.conversation));
  const std::string directory = read_facts(library, row).known.facts.cwd.value_or("");
  WEFT_TRY_VALUE(const Wanted wanted, locate(edit, directory, options.control.stop));

  const fs::path path = wanted.root / wanted.name;
  std::error_code failed;
  if (fs::canonical(path, failed) != path) {
    return fail(ErrorCode::denied, path.string() +
                                       " is a symbolic link, or lies behind one; only files "
                                       "themselves are shown");
  }
  WEFT_TRY_VALUE(auto repository, git::find_repository(path));
  if (!repository) return fail(not_in_a_repository(path));
  const std::uintmax_t size = fs::file_size(path, failed);
  if (!failed && size > options.most_bytes) {
    return fail(ErrorCode::invalid_input,
                fmt::format("{} has {:.1f} MB, and files of up to {} MB are shown; weft blame {} "
                            "shows it in a terminal",
                            wanted.name, static_cast<double>(size) / (1 << 20),
                            options.most_bytes >> 20, path.string()));
  }
  std::string name = git::path_in(*repository, path);
  return EditedFile{.conversation = edit.conversation,
                    .repository = *std::move(repository),
                    .name = std::move(name)};
}

}  // namespace weft::query

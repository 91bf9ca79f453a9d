// EditedFile: the file on this machine that a tool call changed, if its text may be shown to
// whoever may ask this store (docs/decisions/0064-files-that-the-page-shows.md).
//
//   WEFT_TRY_VALUE(const auto file, find_edited_file(library, call, {.most_bytes = 4u << 20}));
//   WEFT_TRY_VALUE(auto answer, blame(library, file.path(), {.with_text = true}));
//
// Nobody names a path: the call does. So a file is shown only if an edit of it is stored, by a
// conversation of the owner; and only if it lies in a git repository of this user, not behind a
// link in it, and not in its git folder.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include "weft/git/repository.hpp"
#include "weft/query/library.hpp"
#include "weft/query/query_control.hpp"

namespace weft::query {

struct EditedFile {
  Cid conversation{};  // that made the edit
  git::Repository repository{};
  std::string name{};  // below the root of the repository, as it is today
  std::filesystem::path path() const { return repository.root / name; }
};

struct EditedFileOptions {
  std::size_t number = 0;  // of the files that the call changed, in its order
  std::size_t most_bytes = 0;
  QueryControl control{};
};

// not_found if the call changed no file, or if the file is not here any more; files that were moved
// since are found where git moved them. denied if its text may not be shown. invalid_input if the
// call changed fewer files, or if the file is larger than `most_bytes`.
Result<EditedFile> find_edited_file(const Library& library, const Cid& request,
                                    const EditedFileOptions& options);

}  // namespace weft::query

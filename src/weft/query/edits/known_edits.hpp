// The edits that are known of files of one name, from all conversations.
//
// They come from the index of edits (store/tables/edit_list.hpp): paths, times and hashes of lines.
// The texts of an edit are read from its thoughts (read_edit).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "weft/edits/edit.hpp"
#include "weft/query/library.hpp"
#include "weft/query/query_control.hpp"
#include "weft/store/tables/edit_list.hpp"

namespace weft::query {

using KnownEdit = store::EditEntry;

struct KnownEdits {
  // By time, one for each call and path; failed ones are not among them.
  std::vector<KnownEdit> entries{};
  std::uint64_t sealed = 0;  // conversations with calls that the keyring does not open
};

// `file_name` is the last component of a path; edits that moved a file of that name count, too.
Result<KnownEdits> known_edits(const Library& library, std::string_view file_name,
                               const QueryControl& control);

// The texts of an edit: one for each change that its call makes to the path. Empty if the keyring
// does not open them.
Result<std::vector<edits::Edit>> read_edit(const Library& library, const KnownEdit& known);

// The last component of a path of any system.
std::string_view file_name_of(std::string_view path);

}  // namespace weft::query

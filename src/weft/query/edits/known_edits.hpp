// The edits that are known of files of one name, from all conversations.
//
// Whatever answers this, its readers know only what is here: paths, times and hashes of lines. The
// texts of an edit are read from its thoughts (read_edit).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/edits/edit.hpp"
#include "weft/query/library.hpp"
#include "weft/query/query_control.hpp"

namespace weft::query {

struct KnownEdit {
  Cid conversation, request;    // of the call
  std::optional<Cid> result{};  // empty if none is known
  Millis time = 0;              // of the request
  edits::Edit::Kind kind = edits::Edit::Kind::change;
  std::string path{}, moved_from{};  // as the call names them
  bool is_user_modified = false;
  bool is_copy = false;  // it stands first in another conversation, which a fork repeats
  std::vector<std::uint32_t> lines{};  // edits::written_lines, sorted
};

struct KnownEdits {
  std::vector<KnownEdit> entries{};  // by time; failed ones are not among them
  std::uint64_t sealed = 0;          // what the keyring does not open: calls or conversations
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

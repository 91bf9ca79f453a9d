// Edits of files, as answers list them, and as tables keep them: by tool call, packed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/base/cid.hpp"
#include "weft/base/result.hpp"
#include "weft/base/time.hpp"
#include "weft/store/pages/pack.hpp"
#include "weft/store/tables/call_edits.hpp"

namespace weft::store {

// An edit that a call of a conversation made in one file.
struct EditEntry {
  Cid conversation, request;
  std::optional<Cid> result{};  // empty if none is known: whether the edit was made is not, either
  Millis time = 0;              // of the request
  edits::Edit::Kind kind = edits::Edit::Kind::change;
  std::string path{}, moved_from{};
  bool is_user_modified = false;  // a person changed the text before it was written
  bool is_copy = false;  // stands first in another conversation: a fork or resume repeats it
  std::vector<std::uint32_t> lines{};  // edits::written_lines: sorted, each once

  friend bool operator==(const EditEntry&, const EditEntry&) = default;
};

// What a call of a conversation changed. Without edits: nothing, whatever an earlier statement
// says.
struct CallStatement {
  sql::Id request = 0;
  std::optional<sql::Id> result{};
  Millis time = 0;         // of the request
  bool is_sealed = false;  // the request or its result has a sealed layer
  std::vector<CallEdit> edits{};

  friend bool operator==(const CallStatement&, const CallStatement&) = default;
};

// Keeps of several statements about one call the last, and sorts them by request.
void keep_last(std::vector<CallStatement>& calls);
// Removes calls without edits.
void drop_empty(std::vector<CallStatement>& calls);

// As stored (docs/formats/store.md, "Edits"): those that are sealed, or those that are not; empty
// for none.
std::string pack(const std::vector<CallStatement>& calls, bool is_sealed);
// Appends to `out`. With a file name, edits of other files are left out, but not the calls that
// made them. Bytes that cannot be read are `corrupt`.
Status unpack_calls(std::string_view bytes, bool is_sealed, std::string_view file_name,
                    std::vector<CallStatement>& out);

// Whether an edit is of a file of this name, or moved one away. Every edit is for an empty name.
bool is_of_file(const CallEdit& edit, std::string_view file_name);

}  // namespace weft::store

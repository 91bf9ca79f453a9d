// Edit: what one call of a tool changed in one file, as the call and its result state it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/base/json.hpp"

namespace weft::edits {

// A piece of a file, before and after. For a piece of the middle of a line both are that piece
// alone; otherwise they are whole lines, with the lines around the change that a patch names.
struct Change {
  std::string before, after;
  friend bool operator==(const Change&, const Change&) = default;
};

struct Edit {
  enum class Kind {
    write,   // the whole file: `after` is known
    change,  // pieces of it
    remove,
    move,  // from `moved_from`, with or without changes
  };
  Kind kind = Kind::change;
  std::string path{};             // as the call names it
  std::string moved_from{};       // of a move
  std::vector<Change> changes{};  // in the order in which they are made; none for a write
  bool is_everywhere = false;     // each change is made wherever its `before` stands
  // The whole file, where the call or its result states it.
  std::optional<std::string> before{}, after{};
  bool is_user_modified = false;  // a person changed the text before it was written
  friend bool operator==(const Edit&, const Edit&) = default;
};

// "write", "change", "remove" or "move": what answers call the kind.
std::string_view name_of(Edit::Kind kind);

struct Outcome {
  bool is_error = false;
  const json::value* details = nullptr;  // what the program kept beside the text of the result
};

// A call of a tool, and its result if it has come.
struct Call {
  std::string_view tool;
  const json::value& input;
  std::optional<Outcome> result{};
};

// Whether a tool of this name may edit files: the calls of others have no edits.
bool may_edit(std::string_view tool);

// The edits of a call, in order. Empty if it edits nothing, if its result is an error, or if its
// shape is not known.
std::vector<Edit> edits_of(const Call& call);

}  // namespace weft::edits

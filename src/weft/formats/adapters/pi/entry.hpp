// The lines of a pi session: what each says of itself before anyone looks at what it holds.
//
//   {"type":"session","version":3,"id":"…","timestamp":"…","cwd":"…","parentSession":"…"}
//   {"type":"message","id":"7f2bf0eb","parentId":"87b91a11","timestamp":"…","message":{…}}
//
// The first is the header; all others are entries of a tree. Files of version 1 have neither
// ids nor parents: there every line follows the one before.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "weft/base/json.hpp"
#include "weft/base/time.hpp"

namespace weft::formats::pi {

struct Entry {
  enum class Follows { previous, nothing, named };

  std::string_view type;               // these point into the object
  std::optional<std::string_view> id;  // empty where it has none that could serve
  Follows follows = Follows::previous;
  std::string_view parent;  // where one is named
  std::optional<Millis> time;
};
Entry parse_entry(const json::object& object);

// Whether `object` is a pi header. Another agent's looks much the same: its `version` is 0,
// and it has `createdAt` and `delegationDepth`.
bool is_header(const json::object& object);
// Whether its type is one that pi's family writes, and it is whole.
bool is_known_entry(const json::object& object);

// A crash may leave half a line, with the next one right behind it: that one, if `text` ends
// with a whole entry. Points into it.
std::optional<std::string_view> find_glued_entry(std::string_view text);

// The session that a header's `parentSession` (or `branchedFrom`) names: an id, or the path
// of a file whose name ends with it.
std::string session_of_reference(std::string_view reference);

}  // namespace weft::formats::pi

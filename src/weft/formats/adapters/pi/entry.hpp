// Parses the lines of a pi session as entries: type, id and parent, without their content.
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
  std::optional<std::string_view> id;  // empty where it has none that can be a place
  Follows follows = Follows::previous;
  std::string_view parent;  // where one is named
  std::optional<Millis> time;
};
Entry parse_entry(const json::object& object);

// Whether `object` is a pi header. Another agent's looks much the same: its `version` is 0,
// and it has `createdAt` and `delegationDepth`.
bool is_header(const json::object& object);
// Whether it is an entry of pi's family, with the members that its type requires.
bool is_known_entry(const json::object& object);

// The whole entry at the end of `text`, behind half of another that a crash cut off. Points into
// `text`; empty if there is none.
std::optional<std::string_view> find_glued_entry(std::string_view text);

// The session that a header's `parentSession` (or `branchedFrom`) names: an id, or the path
// of a file whose name ends with it.
std::string session_of_reference(std::string_view reference);

}  // namespace weft::formats::pi

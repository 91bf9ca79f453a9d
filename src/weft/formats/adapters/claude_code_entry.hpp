// One record of a Claude Code session: its envelope, read once, and the JSON behind it.
//
// Everything in the envelope may be absent in some version. Ids are believed only if they
// look like ids, because they are kept in the reader's state, which must stay small.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "weft/base/json.hpp"
#include "weft/base/time.hpp"

namespace weft::formats::claude_code {

inline constexpr std::string_view kName = "claude-code";

// Printable ASCII without blanks, at most this long.
inline constexpr std::size_t kMaxIdBytes = 128;
std::optional<std::string> find_id(const json::object& object, std::string_view key);

// Eight bytes that stand for a text in the windows of the reader's state.
std::uint64_t hash_of(std::string_view text);

// "aa9fe6c5-7e2e-494c-a2e1-1b3d8886658f", in either case.
bool is_uuid(std::string_view text);
// A file's name without its last suffix.
std::string_view stem_of(std::string_view name);

struct Entry {
  json::value value;  // an object
  std::string text;   // as repaired; empty unless `inexact`
  bool inexact = false;
  std::uint64_t line = 0;
  std::uint64_t fingerprint = 0;  // of the whole text

  std::string type;  // that of the role where the record names none
  std::string id;    // its uuid, else "#<number>"
  std::optional<std::string> uuid, parent, logical_parent, session, agent;
  std::optional<Millis> time;
  bool is_sidechain = false, is_meta = false;

  const json::object& object() const { return value.get_object(); }
};

// `number` counts the file's records from 1. Empty if `parsed` is not an object.
std::optional<Entry> entry_of(ParsedJson parsed, std::string_view text, std::uint64_t line,
                              std::uint64_t number);

// The record without its envelope: what is left says nothing of this file or its ids, so
// that forks share it.
json::object without_envelope(const json::object& record);

}  // namespace weft::formats::claude_code

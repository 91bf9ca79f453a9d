// One record of Claude Code, in a session file or in the Agent SDK's stream: its envelope, parsed
// once, and its JSON.
//
// Everything in the envelope may be absent in some version. Ids are kept only if they look like
// ids, because the reader's state must stay small.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "weft/base/json.hpp"
#include "weft/base/time.hpp"

namespace weft::formats::claude_code {

struct Entry {
  json::value value;  // an object
  std::string text;   // as repaired; empty unless `inexact`
  bool inexact = false;
  std::uint64_t line = 0;
  std::uint64_t fingerprint = 0;  // of the whole text

  std::string type;  // the role if the record names none
  std::string id;    // its uuid, else "#<number>"
  std::optional<std::string> uuid, parent, logical_parent, session, agent;
  std::optional<Millis> time;
  bool is_sidechain = false, is_meta = false;

  const json::object& object() const { return value.get_object(); }
};

// `number` counts the file's records from 1. Empty if `parsed` is not an object.
std::optional<Entry> entry_of(ParsedJson parsed, std::string_view text, std::uint64_t line,
                              std::uint64_t number);

// The record without its envelope: the rest does not mention this file or its ids, so that forks
// share it.
json::object without_envelope(const json::object& record);

}  // namespace weft::formats::claude_code

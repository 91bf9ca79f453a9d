// TranscriptEntry: a conversation as a flat list for reading, one entry for each message, tool
// call and tool result.
//
// Thinking is never content here, because it may be sealed: an entry's metadata says that
// thinking came before it, and how long it took. A block of an unknown type shows its type
// only, for the same reason.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weft/base/cid.hpp"
#include "weft/base/json.hpp"
#include "weft/transcript/conversation.hpp"

namespace weft::transcript {

enum class EntryRole { system, user, assistant, tool };
std::string_view to_string(EntryRole role);

struct TranscriptEntry {
  EntryRole role = EntryRole::user;
  std::string content;  // for a tool call its input as JSON, for a result its output
  Millis created_at = 0;
  std::optional<std::string> tool_name;
  std::optional<std::string> tool_call_id;
  std::optional<json::value> tool_input;  // of a tool call
  // model, duration_ms, is_error, kind (if it is neither message nor tool event),
  // block_type, name, thinking {blocks, duration_ms?, texts?}, continues, supersedes: those that
  // apply. The last two, and texts, come from EntryBuilder alone.
  json::object metadata;
  std::string entry_id;  // a UUIDv8, made from the place of the entry's first block
  std::string source = "primary";
  std::uint64_t sequence = 0;  // from 0, gapless
  friend bool operator==(const TranscriptEntry&, const TranscriptEntry&) = default;
};

// A 32-byte hash function. weft passes crypto::blake3; this module does not depend on crypto.
using Hash = Digest (*)(std::string_view);

// Entries in the order of the turns. Texts and attachments of one author in one message are one
// entry, with line breaks between; thinking that nothing follows is an entry without content.
// An entry without a time has that of the entry before it, or 0.
std::vector<TranscriptEntry> entries_of(const Conversation& conversation, Hash hash);

// {role, content, created_at (ISO 8601), tool_name?, tool_call_id?, tool_input?,
// metadata?, entry_id, source, sequence}.
json::object to_json(const TranscriptEntry& entry);

// For people: "[09:15:36] 🔧 Read", the content below it, a blank line between entries;
// entries of a subagent say so in front: "[subagent:abc123] [09:15:38] 🤖 ASSISTANT".
std::string to_text(std::span<const TranscriptEntry> entries);

}  // namespace weft::transcript

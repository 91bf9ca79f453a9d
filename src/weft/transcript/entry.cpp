#include "weft/transcript/entry.hpp"

#include "weft/transcript/entry_builder.hpp"

namespace weft::transcript {
namespace {

std::string_view sign_of(const TranscriptEntry& entry) {
  if (entry.tool_name) return "🔧";
  switch (entry.role) {
    case EntryRole::system: return "⚙️";
    case EntryRole::user: return "👤";
    case EntryRole::assistant: return "🤖";
    case EntryRole::tool: return "🔧";
  }
  return "•";
}

std::string heading_of(const TranscriptEntry& entry) {
  std::string line;
  if (entry.source != "primary") line += "[" + entry.source + "] ";
  line += "[" + to_iso8601(entry.created_at).substr(11, 8) + "] ";
  line += sign_of(entry);
  line += ' ';
  if (entry.tool_name) {
    line += entry.tool_name->empty() ? "tool" : *entry.tool_name;
  } else {
    for (const char c : to_string(entry.role)) line += static_cast<char>(c - 'a' + 'A');
  }
  return line;
}

}  // namespace

std::string_view to_string(EntryRole role) {
  switch (role) {
    case EntryRole::system: return "system";
    case EntryRole::user: return "user";
    case EntryRole::assistant: return "assistant";
    case EntryRole::tool: return "tool";
  }
  return "system";
}

std::vector<TranscriptEntry> entries_of(const Conversation& conversation, Hash hash) {
  EntryBuilder builder(conversation.heading, hash);
  // A result may stand before its call, so names are gathered first.
  for (const Turn& turn : conversation.turns) {
    for (const Block& block : turn.blocks) {
      const auto* call = std::get_if<ToolCall>(&block.body);
      if (call != nullptr) builder.name_call(call->id, call->name);
    }
  }
  for (const Turn& turn : conversation.turns) {
    for (const Block& block : turn.blocks) builder.take(block);
    builder.close_turn();
  }
  return builder.take_entries();
}

json::object to_json(const TranscriptEntry& entry) {
  json::object out{{"role", to_string(entry.role)},
                   {"content", entry.content},
                   {"created_at", to_iso8601(entry.created_at)}};
  if (entry.tool_name) out["tool_name"] = *entry.tool_name;
  if (entry.tool_call_id) out["tool_call_id"] = *entry.tool_call_id;
  if (entry.tool_input) out["tool_input"] = *entry.tool_input;
  if (!entry.metadata.empty()) out["metadata"] = entry.metadata;
  out["entry_id"] = entry.entry_id;
  out["source"] = entry.source;
  out["sequence"] = entry.sequence;
  return out;
}

std::string to_text(std::span<const TranscriptEntry> entries) {
  std::string out;
  for (const TranscriptEntry& entry : entries) {
    if (!out.empty()) out += '\n';
    out += heading_of(entry) + "\n" + entry.content + "\n";
  }
  return out;
}

}  // namespace weft::transcript

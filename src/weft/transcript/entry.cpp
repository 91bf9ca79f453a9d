#include "weft/transcript/entry.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "weft/base/hex.hpp"

namespace weft::transcript {
namespace {

template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};

EntryRole role_of(Author author) {
  switch (author) {
    case Author::human: return EntryRole::user;
    case Author::model: return EntryRole::assistant;
    case Author::tool: return EntryRole::tool;
    case Author::program: return EntryRole::system;
  }
  return EntryRole::system;
}

// 122 bits of the hash of a block's place; every part of the place ends with a
// zero byte or stands last, so that no two places are the same bytes.
std::string entry_id_of(const Heading& heading, const Block& block, Hash hash) {
  std::string place;
  for (const std::string* part :
       {&heading.format, &heading.session_id, &heading.source, &block.source_id}) {
    place += *part;
    place += '\0';
  }
  place += std::to_string(block.index);
  Digest digest = hash(place);
  digest[6] = static_cast<std::uint8_t>((digest[6] & 0x0f) | 0x80);  // version 8
  digest[8] = static_cast<std::uint8_t>((digest[8] & 0x3f) | 0x80);  // variant of RFC 9562
  std::string id = to_hex(std::span(digest).first(16));
  for (const std::size_t at : {20u, 16u, 12u, 8u}) id.insert(at, 1, '-');
  return id;
}

bool is_thinking(const Block& block) {
  return std::holds_alternative<Thinking>(block.body) ||
         std::holds_alternative<RedactedThinking>(block.body);
}

bool is_message(const Block& block) {
  return std::holds_alternative<Text>(block.body) || std::holds_alternative<Attachment>(block.body);
}

bool are_one_message(const Block& a, const Block& b) {
  if (a.author != b.author || !is_message(a) || !is_message(b)) return false;
  if (a.message_id || b.message_id) return a.message_id == b.message_id;
  return a.source_id == b.source_id;
}

std::optional<std::int64_t> duration_of(const Block& block) {
  if (!block.start || !block.stop) return std::nullopt;
  return std::max<std::int64_t>(0, *block.stop - *block.start);
}

std::string words_of(const Attachment& attachment) {
  if (attachment.text) return *attachment.text;
  const std::string name = attachment.name.value_or(attachment.reference.value_or(""));
  return "[" + attachment.kind + (name.empty() ? "" : ": " + name) + "]";
}

class Builder {
 public:
  Builder(const Conversation& conversation, Hash hash) : conversation_(conversation), hash_(hash) {}

  std::vector<TranscriptEntry> build() {
    name_calls();
    for (const Turn& turn : conversation_.turns) {
      for (const Block& block : turn.blocks) take(block);
      close_thinking();
      previous_ = nullptr;
    }
    return std::move(entries_);
  }

 private:
  // A result may stand before its call, so names are gathered first.
  void name_calls() {
    for (const Turn& turn : conversation_.turns) {
      for (const Block& block : turn.blocks) {
        const auto* call = std::get_if<ToolCall>(&block.body);
        if (call != nullptr && !call->id.empty()) tool_names_.try_emplace(call->id, call->name);
      }
    }
  }

  void take(const Block& block) {
    if (is_thinking(block)) {
      thinking_.push_back(&block);
      previous_ = nullptr;
      return;
    }
    if (previous_ != nullptr && are_one_message(*previous_, block)) {
      entries_.back().content += "\n" + words(block);
    } else {
      TranscriptEntry& entry = open(block);
      if (is_message(block)) entry.content = words(block);
      fill(entry, block);
    }
    previous_ = &block;
  }

  static std::string words(const Block& block) {
    if (const auto* text = std::get_if<Text>(&block.body)) return text->text;
    return words_of(std::get<Attachment>(block.body));
  }

  TranscriptEntry& open(const Block& block) {
    const std::optional<Millis> time = block.start ? block.start : block.recorded;
    time_ = time.value_or(time_);
    TranscriptEntry& entry = entries_.emplace_back();
    entry.role = role_of(block.author);
    entry.created_at = time_;
    entry.entry_id = entry_id_of(conversation_.heading, block, hash_);
    entry.source = conversation_.heading.source;
    entry.sequence = entries_.size() - 1;
    if (block.model) entry.metadata["model"] = *block.model;
    if (const auto duration = duration_of(block)) entry.metadata["duration_ms"] = *duration;
    if (!thinking_.empty()) entry.metadata["thinking"] = thinking_facts();
    thinking_.clear();
    return entry;
  }

  json::object thinking_facts() const {
    json::object facts{{"blocks", thinking_.size()}};
    std::optional<std::int64_t> total;
    for (const Block* block : thinking_) {
      if (const auto duration = duration_of(*block)) total = total.value_or(0) + *duration;
    }
    if (total) facts["duration_ms"] = *total;
    return facts;
  }

  // Thinking that nothing follows in its turn.
  void close_thinking() {
    if (thinking_.empty()) return;
    open(*thinking_.back()).metadata.erase("duration_ms");
  }

  void fill(TranscriptEntry& entry, const Block& block) const {
    const auto set_kind = [&](std::string_view kind, std::string_view content) {
      entry.metadata["kind"] = kind;
      entry.content = content;
    };
    std::visit(Overloaded{
                   [&](const ToolCall& call) {
                     entry.content = pretty_json(call.input);
                     entry.tool_name = call.name;
                     if (!call.id.empty()) entry.tool_call_id = call.id;
                     entry.tool_input = call.input;
                   },
                   [&](const ToolResult& result) {
                     entry.content = result.text;
                     entry.tool_name = name_of(result);
                     if (!result.call_id.empty()) entry.tool_call_id = result.call_id;
                     if (result.is_error) entry.metadata["is_error"] = true;
                   },
                   [&](const Compaction& body) { set_kind("compaction", body.summary); },
                   [&](const Summary& body) { set_kind("summary", body.text); },
                   [&](const Failure& body) { set_kind("failure", body.text); },
                   [&](const Unknown& body) {
                     set_kind("unknown", "");
                     entry.metadata["block_type"] = body.block_type;
                   },
                   [](const auto&) {},
               },
               block.body);
  }

  std::string name_of(const ToolResult& result) const {
    if (!result.name.empty()) return result.name;
    const auto found = tool_names_.find(result.call_id);
    return found == tool_names_.end() ? "" : found->second;
  }

  const Conversation& conversation_;
  Hash hash_;
  std::unordered_map<std::string, std::string> tool_names_;  // by call id
  std::vector<TranscriptEntry> entries_;
  std::vector<const Block*> thinking_;  // since the last entry
  const Block* previous_ = nullptr;     // the last entry's last block
  Millis time_ = 0;
};

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
  return Builder(conversation, hash).build();
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

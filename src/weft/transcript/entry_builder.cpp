#include "weft/transcript/entry_builder.hpp"

#include <algorithm>
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

std::optional<std::int64_t> duration_of(const Block& block) {
  if (!block.start || !block.stop) return std::nullopt;
  return std::max<std::int64_t>(0, *block.stop - *block.start);
}

std::string words_in(const Attachment& attachment) {
  if (attachment.text) return *attachment.text;
  const std::string name = attachment.name.value_or(attachment.reference.value_or(""));
  return "[" + attachment.kind + (name.empty() ? "" : ": " + name) + "]";
}

}  // namespace

// 122 bits of the hash of a block's place; every part of the place ends with a
// zero byte or stands last, so that no two places are the same bytes.
std::string entry_id_of(const Heading& heading, std::string_view source_id, std::uint64_t index,
                        std::string_view state, Hash hash) {
  std::string place;
  for (const std::string_view part :
       {std::string_view(heading.format), std::string_view(heading.session_id),
        std::string_view(heading.source), source_id}) {
    place += part;
    place += '\0';
  }
  place += std::to_string(index);
  if (!state.empty()) (place += '\0') += state;
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

std::string words_of(const Block& block) {
  if (const auto* text = std::get_if<Text>(&block.body)) return text->text;
  if (const auto* attachment = std::get_if<Attachment>(&block.body)) return words_in(*attachment);
  return {};
}

EntryBuilder::EntryBuilder(Heading heading, Hash hash, IncludeThinking thinking,
                           std::uint64_t sequence)
    : heading_(std::move(heading)), hash_(hash), include_thinking_(thinking), sequence_(sequence) {}

void EntryBuilder::name_call(const std::string& id, const std::string& name) {
  if (!id.empty()) tool_names_.try_emplace(id, name);
}

bool EntryBuilder::is_continuation(const Block& block) const {
  if (!joint_ || joint_->author != block.author || !is_message(block)) return false;
  if (joint_->message_id || block.message_id) return joint_->message_id == block.message_id;
  return joint_->source_id == block.source_id;
}

void EntryBuilder::take(const Block& block) {
  if (is_thinking(block)) return wait(block);
  if (is_continuation(block) && !entries_.empty()) {
    entries_.back().content += "\n" + words_of(block);
  } else {
    const bool continues = is_continuation(block) && !head_.empty();
    TranscriptEntry& entry = open(block, id_of(block));
    entry.content = words_of(block);
    if (continues) entry.metadata["continues"] = head_;
    else head_ = entry.entry_id;
    fill(entry, block);
  }
  join(block);
}

void EntryBuilder::take_restated(const Block& block, std::string entry_id,
                                 std::string_view supersedes) {
  joint_.reset();
  if (is_thinking(block)) return;  // the entry before it reports the reasoning already
  TranscriptEntry& entry = open(block, std::move(entry_id));
  entry.content = words_of(block);
  entry.metadata["supersedes"] = supersedes;
  fill(entry, block);
  head_ = entry.entry_id;
}

void EntryBuilder::pass(const Block& block, std::string first) {
  if (is_thinking(block)) return wait(block);
  thinking_.clear();
  head_ = std::move(first);
  join(block);
}

void EntryBuilder::pass_restated(std::string entry_id) {
  joint_.reset();
  head_ = std::move(entry_id);
}

void EntryBuilder::close_turn() {
  if (!thinking_.empty()) {
    const Block last = thinking_.back();
    TranscriptEntry& entry = open(last, id_of(last));
    entry.metadata.erase("duration_ms");
    head_ = entry.entry_id;
  }
  joint_.reset();
}

std::vector<TranscriptEntry> EntryBuilder::take_entries() { return std::exchange(entries_, {}); }

std::vector<TranscriptEntry> EntryBuilder::take_closed_entries() {
  std::vector<TranscriptEntry> closed = std::exchange(entries_, {});
  if (closed.empty()) return closed;
  entries_.push_back(std::move(closed.back()));
  closed.pop_back();
  return closed;
}

std::string EntryBuilder::id_of(const Block& block) const {
  return entry_id_of(heading_, block.source_id, block.index, {}, hash_);
}

void EntryBuilder::join(const Block& block) {
  joint_.reset();
  if (is_message(block)) joint_ = Joint{block.author, block.message_id, block.source_id};
}

void EntryBuilder::wait(const Block& block) {
  Block kept{.author = block.author, .body = Thinking{}, .source_id = block.source_id};
  kept.index = block.index;
  kept.start = block.start;
  kept.stop = block.stop;
  kept.recorded = block.recorded;
  kept.model = block.model;
  if (include_thinking_ == IncludeThinking::yes) kept.body = block.body;
  thinking_.push_back(std::move(kept));
  joint_.reset();
}

TranscriptEntry& EntryBuilder::open(const Block& block, std::string entry_id) {
  const std::optional<Millis> time = block.start ? block.start : block.recorded;
  time_ = time.value_or(time_);
  TranscriptEntry& entry = entries_.emplace_back();
  entry.role = role_of(block.author);
  entry.created_at = time_;
  entry.entry_id = std::move(entry_id);
  entry.source = heading_.source;
  entry.sequence = sequence_++;
  if (block.model) entry.metadata["model"] = *block.model;
  if (const auto duration = duration_of(block)) entry.metadata["duration_ms"] = *duration;
  if (!thinking_.empty()) entry.metadata["thinking"] = thinking_facts();
  thinking_.clear();
  return entry;
}

json::object EntryBuilder::thinking_facts() const {
  json::object facts{{"blocks", thinking_.size()}};
  std::optional<std::int64_t> total;
  json::array texts;
  for (const Block& block : thinking_) {
    if (const auto duration = duration_of(block)) total = total.value_or(0) + *duration;
    const auto* thinking = std::get_if<Thinking>(&block.body);
    if (thinking != nullptr && !thinking->text.empty()) texts.emplace_back(thinking->text);
  }
  if (total) facts["duration_ms"] = *total;
  if (!texts.empty()) facts["texts"] = std::move(texts);
  return facts;
}

void EntryBuilder::fill(TranscriptEntry& entry, const Block& block) const {
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

std::string EntryBuilder::name_of(const ToolResult& result) const {
  if (!result.name.empty()) return result.name;
  const auto found = tool_names_.find(result.call_id);
  return found == tool_names_.end() ? "" : found->second;
}

}  // namespace weft::transcript

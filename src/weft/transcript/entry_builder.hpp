// EntryBuilder turns blocks into transcript entries one by one; it can be stopped and resumed at
// any block.
//
//   EntryBuilder builder(heading, crypto::blake3);
//   for (const Block& block : turn.blocks) builder.take(block);
//   builder.close_turn();
//   for (TranscriptEntry& entry : builder.take_entries()) …
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "weft/transcript/entry.hpp"

namespace weft::transcript {

// Whether entries contain the reasoning itself, or only its duration.
enum class IncludeThinking { no, yes };

// The id of an entry that begins with the block at this place: a UUIDv8. `state` distinguishes
// blocks that stood there one after the other; empty for the first.
std::string entry_id_of(const Heading& heading, std::string_view source_id, std::uint64_t index,
                        std::string_view state, Hash hash);

bool is_thinking(const Block& block);
// Whether several such blocks can form one entry.
bool is_message(const Block& block);
// The text of a message block.
std::string words_of(const Block& block);

class EntryBuilder {
 public:
  // `sequence` is the number of the next entry.
  EntryBuilder(Heading heading, Hash hash, IncludeThinking thinking = IncludeThinking::no,
               std::uint64_t sequence = 0);

  // The tool name for results that have none of their own.
  void name_call(const std::string& id, const std::string& name);

  // The next block of the turn. It continues the entry before it if both are one message: that
  // entry itself while it is still here, otherwise a new one whose metadata names the entry that it
  // `continues` (the message's first).
  void take(const Block& block);
  // A block that replaces another at its place: a separate entry with its own id; its metadata
  // names the entry that it `supersedes`.
  void take_restated(const Block& block, std::string entry_id, std::string_view supersedes);
  // A block that was emitted already, in the entry `first` or in one that continues it.
  void pass(const Block& block, std::string first);
  // The same for a block that replaced another.
  void pass_restated(std::string entry_id);
  // The turn is over: reasoning that nothing followed becomes an entry.
  void close_turn();

  // Whether the block continues the message before it.
  bool is_continuation(const Block& block) const;
  // Reasoning that is pending until the next entry.
  const std::vector<Block>& waiting() const { return thinking_; }
  void forget_waiting() { thinking_.clear(); }

  const std::vector<TranscriptEntry>& entries() const { return entries_; }
  // All entries, or all but the last, which may still grow.
  std::vector<TranscriptEntry> take_entries();
  std::vector<TranscriptEntry> take_closed_entries();
  std::uint64_t next_sequence() const { return sequence_; }
  // The first entry of the last message; empty if there is none.
  const std::string& head() const { return head_; }

 private:
  // The properties of a block that decide whether the next one belongs to its message.
  struct Joint {
    Author author;
    std::optional<std::string> message_id;
    std::string source_id;
  };

  TranscriptEntry& open(const Block& block, std::string entry_id);
  std::string id_of(const Block& block) const;
  void join(const Block& block);
  void wait(const Block& block);
  json::object thinking_facts() const;
  void fill(TranscriptEntry& entry, const Block& block) const;
  std::string name_of(const ToolResult& result) const;

  Heading heading_;
  Hash hash_;
  IncludeThinking include_thinking_;
  std::uint64_t sequence_;
  std::unordered_map<std::string, std::string> tool_names_;  // by call id
  std::vector<TranscriptEntry> entries_;
  std::vector<Block> thinking_;  // since the last entry; without its text unless that is shown
  std::optional<Joint> joint_;   // of the last block, if it is a message
  std::string head_;
  Millis time_ = 0;
};

}  // namespace weft::transcript

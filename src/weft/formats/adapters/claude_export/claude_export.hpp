// The parts of the claude-export adapter: from a message's JSON to its blocks, from the
// messages of a chat to its turns. Internal; the adapter itself is in adapter.cpp.
//
//   record ─▶ read_item ─▶ chat, design chat ─▶ parse_message ─▶ add_text
//                       │                    └▶ ChatBuilder ─▶ Sink
//                       └▶ project, memories ─▶ ChatBuilder ─▶ Sink
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "weft/formats/adapter.hpp"
#include "weft/formats/apis/anthropic/content.hpp"
#include "weft/formats/framing/framing.hpp"
#include "weft/formats/framing/json_pieces.hpp"
#include "weft/formats/reading/turn_emitter.hpp"

namespace weft::formats::claude_export {

inline constexpr std::string_view kName = "claude-export";

inline constexpr std::string_view kEmptyBlock = "empty block";

// A part of a file that is a JSON value of its own, cut out by counting brackets.
struct Item {
  std::string_view text;
  std::uint64_t line = 1;
  bool cut = false;          // the file ended within it
  std::uint64_t number = 1;  // in its list
};

// The members of an object, whether it is valid JSON or not. Views point into its text.
class Members {
 public:
  explicit Members(const Item& object);
  bool has(std::string_view name) const { return item(name).has_value(); }
  std::optional<Item> item(std::string_view name) const;
  // The elements of an array, at most kMaxBlocks. Further ones, and one that the file ends in, are
  // reported to `sink`.
  std::vector<Item> elements(std::string_view name, transcript::Sink& sink);
  // Whether elements() has reported anything: an object without elements is then not empty.
  bool has_emitted() const { return has_emitted_; }
  // Reports that the object ended early, unless elements() has.
  void emit_cut(transcript::Sink& sink) const;
  // Adds the member to `object`, if there is one. False, and reported to `sink`, if it is not JSON.
  bool parse_into(json::object& object, std::string_view name, transcript::Sink& sink) const;
  json::object parse(std::initializer_list<std::string_view> names, transcript::Sink& sink) const;

 private:
  Item object_;
  std::vector<JsonPiece> pieces_;
  bool has_emitted_ = false;
};

// Blocks of one message, each with the next index. A block that is left out takes an index too, so
// that the others keep theirs.
class BlockList {
 public:
  void add(transcript::Author author, transcript::Body body,
           std::optional<Millis> start = std::nullopt, std::optional<Millis> stop = std::nullopt);
  void leave_out(std::string_view reason, std::uint64_t line);
  // For a block that has been reported already.
  void add_gap() {
    ++next_;
    has_gap_ = true;
  }
  // Forgets all blocks: those that follow replace them.
  void start_over();

  bool empty() const { return blocks_.empty(); }
  std::vector<transcript::Block> take() { return std::move(blocks_); }
  // Reports the blocks left out; of a message without blocks, that it is empty.
  void emit_skips(std::uint64_t line, transcript::Sink& sink);

 private:
  std::vector<transcript::Block> blocks_;
  std::vector<transcript::Skipped> left_out_;
  std::uint32_t next_ = 0;
  bool has_gap_ = false;
};

// One message of a chat, whatever the form it was written in.
struct Message {
  std::string id{};                     // empty where it has none
  std::optional<std::string> parent{};  // empty where the chat has no tree
  transcript::Author sender = transcript::Author::human;
  std::optional<Millis> recorded{};
  std::optional<std::string> model{}, account{};
  std::vector<transcript::Block> blocks{};  // author, body, index, start and stop
};

// Parses a message of a chat, or of a design chat. Parts that cannot be read are reported to
// `sink`; empty if no part can.
std::optional<Message> parse_message(const Item& text, transcript::Sink& sink);
std::optional<Message> parse_design_message(const Item& text, transcript::Sink& sink);

// Adds one block of a message's content, or leaves it out.
void add_block(const json::value& block, transcript::Author sender, std::uint64_t line,
               BlockList& blocks);
// Adds a text, with the thinking (of a model) and the images in it.
void add_text(transcript::Text text, transcript::Author sender, std::optional<Millis> start,
              std::optional<Millis> stop, BlockList& blocks);
// Adds `attachments`, `files` and `files_v2` of a message.
void add_uploads(const json::object& message, transcript::Author sender, std::uint64_t line,
                 BlockList& blocks);
// Citations that have a URL alone get the title of the search hit before them that has it.
void name_sources(std::vector<transcript::Block>& blocks);

std::optional<Millis> find_time(const json::object& object, std::string_view key);

// Emits one conversation, message by message, in the order of its file.
//
// Consecutive words of a person are one turn, everything up to the next of them another. A message
// that does not follow the one emitted before it begins a turn, whose parent is the turn of the
// message's parent if that was emitted. Edits and regenerated answers are therefore branches; a
// cycle, or a parent that comes late or never, does no harm. A message that is left out is replaced
// by its parent.
class ChatBuilder {
 public:
  ChatBuilder(std::string session_id, transcript::Facts facts, std::optional<std::string> model,
              transcript::Sink& sink);

  // `item` is where the message was read.
  void emit(Message message, const Item& item);

 private:
  struct Place {
    std::string turn, message;  // emitted last on the way to it; empty for none
  };
  // The place of the message's parent; empty if it follows the message before it.
  std::optional<Place> branch_of(const Message& message) const;
  void begin();
  void open(transcript::TurnHead head, const std::optional<Place>& branch);
  transcript::Role role_of(const transcript::Block& block, transcript::Author sender,
                           bool is_first) const;

  transcript::Sink& sink_;
  transcript::Heading heading_;
  transcript::Facts facts_;
  std::optional<std::string> model_;
  bool has_begun_ = false;
  TurnEmitter turns_;
  std::string last_message_;
  std::unordered_map<std::string, Place> places_;  // by message
};

// A chat, a design chat, a project or an account's memories.
void read_item(const Item& item, const std::optional<std::string>& model, transcript::Sink& sink);
void read_project(const Item& item, Members& members, transcript::Sink& sink);
void read_memories(const Item& item, Members& members, transcript::Sink& sink);

Confidence recognises(std::string_view head);

}  // namespace weft::formats::claude_export

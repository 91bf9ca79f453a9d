// Block is one piece of a conversation: a prompt, an answer, reasoning, a tool call or result, …
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "weft/base/json.hpp"
#include "weft/base/time.hpp"

namespace weft::transcript {

// The author of a block. A program is the harness around the model: its system
// prompts, context, hooks and notifications.
enum class Author { human, model, tool, program };

// A source that a text cites. The citations of every format are converted to this.
struct Citation {
  std::optional<std::string> url;
  std::optional<std::string> title;
  std::optional<std::string> text;  // the quoted text of the source
  // Where in the citing text, in code points: [from, to).
  std::optional<std::pair<std::uint64_t, std::uint64_t>> indices;
  // The index, from 0, of a document in the conversation, if the source is not a URL.
  std::optional<std::uint64_t> document;
  friend bool operator==(const Citation&, const Citation&) = default;
};

struct Text {
  std::string text;
  std::vector<Citation> citations;
  friend bool operator==(const Text&, const Text&) = default;
};

struct Thinking {
  std::string text;  // empty if the provider withheld it and gave a signature
  std::optional<std::string> signature;
  std::vector<std::string> summaries;
  bool cut_off = false;
  friend bool operator==(const Thinking&, const Thinking&) = default;
};

struct RedactedThinking {
  std::string data;
  friend bool operator==(const RedactedThinking&, const RedactedThinking&) = default;
};

struct ToolCall {
  std::string id;  // empty where the format has none
  std::string name;
  json::value input;
  std::optional<std::string> description;   // the model's own description of the call
  std::optional<std::string> display_text;  // what the person was shown
  friend bool operator==(const ToolCall&, const ToolCall&) = default;
};

struct ToolResult {
  std::string call_id;  // empty where the format has none
  std::string name;     // empty where only the call has it
  std::string text;     // the text parts, a newline between
  bool is_error = false;
  std::optional<std::string> uuid;     // of its single text part
  std::optional<json::array> parts;    // all parts, where they are more than one text
  std::optional<json::value> details;  // the tool's own structured form
  friend bool operator==(const ToolResult&, const ToolResult&) = default;
};

struct Attachment {
  std::string kind;  // "image", "document", "file"
  std::optional<std::string> name;
  std::optional<std::string> mime;
  std::optional<std::string> text;       // its content, if that is text
  std::optional<std::string> data;       // its bytes in base64
  std::optional<std::string> reference;  // a URL or file id, where the bytes are elsewhere
  std::optional<std::uint64_t> size;     // in bytes
  // Other members of the format's own block, for writing it back.
  std::optional<json::object> extra;
  friend bool operator==(const Attachment&, const Attachment&) = default;
};

struct Compaction {
  std::string summary;
  friend bool operator==(const Compaction&, const Compaction&) = default;
};

// A summary or title record of a session.
struct Summary {
  std::string text;
  // The record that the summarised conversation ended with; empty if the source does not name it.
  std::string leaf{};
  // It may be of another conversation: nothing here follows from it.
  bool is_aside = false;
  friend bool operator==(const Summary&, const Summary&) = default;
};

// The provider's error.
struct Failure {
  std::string text;
  std::optional<json::value> details;
  friend bool operator==(const Failure&, const Failure&) = default;
};

// A block of a type that its adapter does not know, kept whole.
struct Unknown {
  std::string block_type;
  json::value raw;                      // null where only the text is exact
  std::optional<std::string> raw_text;  // where a value cannot hold what it says
  friend bool operator==(const Unknown&, const Unknown&) = default;
};

using Body = std::variant<Text, Thinking, RedactedThinking, ToolCall, ToolResult, Attachment,
                          Compaction, Summary, Failure, Unknown>;

struct Block {
  Author author = Author::model;
  Body body;
  // Its place: the record it came from, by the source's id or the adapter's count, and its
  // index in that record. The same however often the source is read.
  std::string source_id;
  std::uint32_t index = 0;
  // The API message it belongs to: blocks of one message are one step.
  std::optional<std::string> message_id;
  std::optional<Millis> start, stop;
  std::optional<Millis> recorded;    // its record's time, if the block has none
  std::optional<std::string> model;  // if the source names it
  // Other members of the format's own block, by their names there, for writing it back unchanged.
  // An attachment has its own.
  std::optional<json::object> extra{};
  friend bool operator==(const Block&, const Block&) = default;
};

}  // namespace weft::transcript

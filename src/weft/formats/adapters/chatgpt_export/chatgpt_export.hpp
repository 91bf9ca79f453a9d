// The parts of the chatgpt-export adapter: from a conversation's tree of nodes to turns, from a
// message to its blocks. Internal; the adapter itself is in adapter.cpp.
//
//   record ─▶ read_conversation ─▶ Tree ─▶ order of nodes ─▶ parse_message ─▶ TurnBuilder ─▶ Sink
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "weft/formats/adapter.hpp"
#include "weft/formats/reading/json_reader.hpp"
#include "weft/formats/reading/turn_builder.hpp"

namespace weft::formats::chatgpt_export {

inline constexpr std::string_view kName = "chatgpt-export";

// Reads one whole conversation. Parts that cannot be read are reported to `sink`.
void read_conversation(const JsonRecord& record, const json::object& conversation,
                       const SourceInfo& info, transcript::Sink& sink);

// A node of a conversation's `mapping`. Views and pointers are into its JSON.
struct Node {
  std::string_view id;
  std::string_view parent;  // empty for a root, and where the parent is not there
  const json::object* message = nullptr;
};

// The nodes of a conversation, each after its parent and each once, even if the JSON is broken. Of
// the branches that begin at a node the one that was shown last comes last, so that it is the
// newest; the others come in the order of the file. Nodes in a circle come as if they had no
// parent.
std::vector<Node> order_nodes(const json::object& conversation);

// The content of a message.
struct Message {
  std::vector<AuthoredBlock> blocks{};
  std::string_view skipped{};  // why it has no content; empty if it has some
};
// `call` is the call that a result of a tool would be of; empty for none.
Message parse_message(const json::object& message, std::string_view id, std::string_view call);
// The tool that a message calls; empty if it calls none.
std::string_view called_tool(const json::object& message);
// The tool that a result comes from; empty if unknown.
std::string_view answering_tool(const json::object& message);

// Text with the sources that its message names for it.
transcript::Text cite(std::string text, const json::object& message);

// The assets of a message: parts that are objects, and `metadata.attachments`.
class Assets {
 public:
  explicit Assets(transcript::Author author) : author_(author) {}
  // A part that is no string.
  void add_part(const json::value& part, std::vector<AuthoredBlock>& blocks);
  // What was attached, unless a part was that.
  void add_attachments(const json::object& message, std::vector<AuthoredBlock>& blocks);

 private:
  void add_pointer(std::string_view kind, const json::object& pointer,
                   std::vector<AuthoredBlock>& blocks);

  transcript::Author author_;
  // Position of an asset in the blocks, by the id that its pointer ends with.
  std::unordered_map<std::string, std::size_t> pointers_;
};

Confidence recognises(std::string_view head);

}  // namespace weft::formats::chatgpt_export

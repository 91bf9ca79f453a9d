// MarkdownExport: a conversation as one Markdown document, for people elsewhere.
//
//   MarkdownExport document(library, {.thinking = false}, write);
//   WEFT_TRY(document.add(conversation));      // and its subagents, one after the other
//
// What was said stands in block quotes, what a tool printed in fenced code: no text, whatever it
// says, can pass for a heading, a turn or the document's own words. Turns are written one by one,
// so that the largest turn bounds the memory. A library with a mask masks secrets.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/query/library.hpp"

namespace weft::cli {

struct MarkdownOptions {
  bool thinking = false;  // with the reasoning that the keyring opens
  std::optional<std::string> branch{};
};

class MarkdownExport {
 public:
  using Write = std::function<void(std::string_view text)>;
  // `library` outlives it.
  MarkdownExport(const query::Library& library, MarkdownOptions options, Write write)
      : library_(library), options_(std::move(options)), write_(std::move(write)) {}

  // Writes a conversation; the first begins the document with its front matter.
  Status add(const store::ConversationRow& conversation);

  // What was left out, one sentence each.
  std::vector<std::string> notes() const;

 private:
  void add_turn(const json::object& turn);
  void add_block(const json::object& thought);
  void add_thinking(const json::object& content);
  void add_call(const json::object& content);
  void add_result(const json::object& content);

  const query::Library& library_;
  MarkdownOptions options_;
  Write write_;
  bool has_begun_ = false;
  std::uint64_t thinking_left_out_ = 0, sealed_ = 0;
};

// Text as Markdown that shows it, and nothing else. Each ends with a newline.
std::string quoted(std::string_view text);                              // a block quote
std::string fenced(std::string_view text, std::string_view info = "");  // a block of code
// In a line: `code`, and words with what Markdown would read escaped.
std::string inline_code(std::string_view text);
std::string escaped_markdown(std::string_view text);

}  // namespace weft::cli

// Writes JSON answers to a stream: indented on a terminal, otherwise on one line, with a final
// newline.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

#include "weft/base/json.hpp"

namespace weft::cli {

// Characters that could control or mislead a terminal are escaped in both: a program reads the same
// from it, and what is piped today is shown on a terminal tomorrow.
enum class Layout { compact, indented };

// Keeps the order of members. Strings and numbers are written as in the canonical form.
std::string to_text(const json::value& value, Layout layout);
// With a newline after it.
void write_json(std::FILE* out, const json::value& value, Layout layout);

// An object with one long list, written while the list is being found, so that its length costs no
// memory:
//
//   ListDocument document(stdout, layout, {}, "thoughts");
//   … document.add(thought) …
//   document.close({{"truncated", false}});
//
// Writes nothing before the first element or close(): a command that fails before that can still
// print an error instead.
class ListDocument {
 public:
  // `front` are the members before the list.
  ListDocument(std::FILE* out, Layout layout, json::object front, std::string list);

  void add(const json::value& element);
  // `back` are the members after the list.
  void close(const json::object& back);
  bool has_begun() const { return begun_; }

 private:
  void begin();
  void write_key(std::string_view key);
  void write_member(std::string_view key, const json::value& value);
  void write_indented(const json::value& value, std::size_t levels);
  void write(std::string_view text);

  std::FILE* out_;
  Layout layout_;
  json::object front_;
  std::string list_;
  bool begun_ = false, has_elements_ = false, has_members_ = false;
};

}  // namespace weft::cli

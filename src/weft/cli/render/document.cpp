#include "weft/cli/render/document.hpp"

#include <utility>

#include "weft/base/json/compact.hpp"
#include "weft/cli/render/text.hpp"

namespace weft::cli {
std::string to_text(const json::value& value, Layout layout) {
  if (layout == Layout::indented) return escaped_for_terminal(pretty_json(value));
  std::string out;
  append_compact(out, value);
  return escaped_for_terminal(out);
}

void write_json(std::FILE* out, const json::value& value, Layout layout) {
  std::string text = to_text(value, layout);
  text += '\n';
  std::fwrite(text.data(), 1, text.size(), out);
}

ListDocument::ListDocument(std::FILE* out, Layout layout, json::object front, std::string list)
    : out_(out), layout_(layout), front_(std::move(front)), list_(std::move(list)) {}

void ListDocument::add(const json::value& element) {
  if (!begun_) begin();
  if (has_elements_) write(",");
  has_elements_ = true;
  if (layout_ == Layout::indented) write("\n    ");
  write_indented(element, 2);
}

void ListDocument::close(const json::object& back) {
  if (!begun_) begin();
  if (layout_ == Layout::indented && has_elements_) write("\n  ");
  write("]");
  for (const auto& member : back) {
    write_member({member.key().data(), member.key().size()}, member.value());
  }
  write(layout_ == Layout::indented ? "\n}\n" : "}\n");
}

void ListDocument::begin() {
  begun_ = true;
  write("{");
  for (const auto& member : front_) {
    write_member({member.key().data(), member.key().size()}, member.value());
  }
  write_key(list_);
  write("[");
}

void ListDocument::write_key(std::string_view key) {
  std::string text = has_members_ ? "," : "";
  has_members_ = true;
  if (layout_ == Layout::indented) text += "\n  ";
  std::string name;
  append_canonical_string(name, key);
  text += escaped_for_terminal(name);
  text += layout_ == Layout::indented ? ": " : ":";
  write(text);
}

void ListDocument::write_member(std::string_view key, const json::value& value) {
  write_key(key);
  write_indented(value, 1);
}

// A JSON string never contains a newline: each newline starts a line of the layout.
void ListDocument::write_indented(const json::value& value, std::size_t levels) {
  const std::string text = to_text(value, layout_);
  std::string_view rest = text;
  for (std::size_t end = rest.find('\n'); end != std::string_view::npos; end = rest.find('\n')) {
    write(rest.substr(0, end + 1));
    write(std::string(2 * levels, ' '));
    rest.remove_prefix(end + 1);
  }
  write(rest);
}

void ListDocument::write(std::string_view text) { std::fwrite(text.data(), 1, text.size(), out_); }

}  // namespace weft::cli

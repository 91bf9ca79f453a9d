// Renders a thought as a text for models.
#include <fmt/format.h>

#include "weft/base/figures.hpp"
#include "weft/mcp/answers/rendering.hpp"

namespace weft::mcp {
namespace {

// Longer values stand below their name.
constexpr std::size_t kShort = 60;

// Bytes that mean something to programs alone.
bool is_opaque(std::string_view kind, std::string_view member) {
  return (kind == "thinking" && member == "signature") ||
         (kind == "redacted_thinking" && member == "data") ||
         (kind == "attachment" && member == "data");
}

void append_member(std::string& out, std::string_view kind, std::string_view name,
                   const json::value& value) {
  const json::string* text = value.if_string();
  if (text != nullptr && is_opaque(kind, name)) {
    out += fmt::format("{}: {} of opaque data, in the structured answer\n", name,
                       byte_size(text->size()));
    return;
  }
  if (text != nullptr) return append_quoted(out, name, view(*text));
  const std::string compact = canonical_json(value);
  if (compact.size() <= kShort) {
    out += fmt::format("{}: {}\n", name, compact);
  } else {
    append_quoted(out, name, value.is_object() || value.is_array() ? pretty_json(value) : compact);
  }
}

void append_layers(std::string& out, const json::object& layers) {
  for (const auto& layer : layers) {
    const std::string_view name(layer.key().data(), layer.key().size());
    out += fmt::format("(the {} layer is sealed)\n", name);
  }
}

std::string because_of(const json::object& thought) {
  std::string out;
  for (const json::value& value : list_in(thought, "because")) {
    const json::object* reference = value.if_object();
    const auto cid = reference == nullptr ? std::nullopt : find_string(*reference, "thought_cid");
    if (cid) out += (out.empty() ? "" : ", ") + query::brief(*cid);
  }
  return out;
}

}  // namespace

void append_thought(std::string& out, const json::object& thought, query::Names& names) {
  const std::string kind(query::kind_of(thought));
  out += fmt::format("{} {} by {}{}{}, {}", kind,
                     query::brief(find_string(thought, "cid").value_or("")),
                     names.of(find_string(thought, "created_by").value_or("")),
                     foreign_mark(thought), witnessed_mark(thought), moment(thought, "created_at"));
  const std::string causes = because_of(thought);
  out += causes.empty() ? ", without a cause\n" : ", because of " + causes + "\n";
  const json::object& content = query::content_of(thought);
  for (const auto& member : content) {
    const std::string_view name(member.key().data(), member.key().size());
    if (name == "$layers") continue;
    append_member(out, kind, name, member.value());
  }
  if (const json::object* layers = find_object(content, "$layers")) append_layers(out, *layers);
  if (const json::object* summary = find_object(thought, "summary")) {
    append_quoted(out, "summary of the reasoning", find_string(*summary, "text").value_or(""));
  }
  for (const json::value& note : list_in(thought, "notes")) {
    if (note.is_string()) out += fmt::format("({})\n", view(note.get_string()));
  }
}

}  // namespace weft::mcp

#include "weft/cli/render/summary_line.hpp"

#include <algorithm>

#include "weft/cli/read/call_line.hpp"
#include "weft/cli/render/figures.hpp"
#include "weft/cli/render/text.hpp"

namespace weft::cli {
namespace {

// Lines for a pipe are not cut to a width, but no line needs more of a text than this.
constexpr std::size_t kMaxWords = 100;
constexpr std::size_t kLeastWords = 16;

}  // namespace

Colour colour_of(std::string_view kind) {
  if (kind == "human_input" || kind == "attachment") return Colour::green;
  if (kind == "response") return Colour::cyan;
  if (kind.find("thinking") != std::string_view::npos) return Colour::magenta;
  if (kind.starts_with("tool_")) return Colour::yellow;
  if (kind == "failure") return Colour::red;
  if (kind == "citation" || kind == "web_resource") return Colour::blue;
  return Colour::faint;
}

std::string summary_line(const json::object& thought) {
  // A call by what tells it apart, unless its tool describes it in words.
  const json::object* content = find_object(thought, "content");
  const bool is_call = content != nullptr && kind_of(thought) == "tool_request" &&
                       !content->contains("display_text") && !content->contains("description");
  if (is_call) {
    const CallLine call = call_line(*content, {}, std::nullopt);
    if (!call.tool.empty() && !call.argument.empty()) return call.tool + " " + call.argument;
  }
  return on_one_line(query::summary_line(thought));
}

std::string_view foreign_sign(const json::object& shown) {
  return find_bool(shown, "foreign").value_or(false) ? "‡ " : "";
}

std::string_view witnessed_sign(const json::object& shown) {
  return shown.contains("witnessed") ? "(witnessed) " : "";
}

std::string brief(std::string_view cid) { return on_one_line(query::brief(cid)); }

std::string Names::of(std::string_view cid) { return on_one_line(names_.of(cid)); }

std::string ThoughtLine::str(const Style& style, std::size_t columns) const {
  // In a narrow place the text counts more than who said it, and when.
  std::size_t used = display_width(kind) + cid.size() + 2;
  const auto leaves_room = [&](std::size_t more) {
    return columns == Style::kUnlimited || used + more + kLeastWords + 2 <= columns;
  };
  if (columns != Style::kUnlimited && used > columns) {
    return style.paint(colour_of(kind), fitted(kind, columns));
  }
  std::string out = style.paint(colour_of(kind), kind) + "  " +
                    style.paint(Colour::faint, style.link(Screen::thought, cid));
  if (leaves_room(when.size() + 1)) {
    out += " " + style.paint(Colour::faint, when);
    used += when.size() + 1;
  }
  if (!who.empty() && leaves_room(display_width(who) + 2)) {
    out += "  " + who;
    used += display_width(who) + 2;
  }
  const std::size_t room = columns > used + 2 ? columns - used - 2 : 0;
  if (!words.empty() && room > 2) out += "  " + fitted(words, room);
  return out;
}

ThoughtLine line_of(const json::object& thought, Names& names, When when) {
  const Millis time = find_int(thought, "created_at").value_or(0);
  const std::string_view kind = kind_of(thought);
  ThoughtLine line{.kind = on_one_line(kind),
                   .cid = brief(find_string(thought, "cid").value_or("")),
                   .when = when == When::time ? local_time(time) : local_date_time(time),
                   .words = std::string(foreign_sign(thought)).append(witnessed_sign(thought)) +
                            fitted(summary_line(thought), kMaxWords)};
  // The summary of a tool call starts with its name already.
  if (kind != "tool_result") {
    line.who = fitted(names.of(find_string(thought, "created_by").value_or("")), 24);
  }
  return line;
}

}  // namespace weft::cli

#include "weft/cli/gist.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "weft/cli/document.hpp"
#include "weft/cli/figures.hpp"
#include "weft/cli/text.hpp"
#include "weft/query/questions.hpp"

namespace weft::cli {
namespace {

// Lines for a pipe are not cut to a width, but no line needs more of a text than this.
constexpr std::size_t kMaxWords = 100;
constexpr std::size_t kLeastWords = 16;

const json::object& content_of(const json::object& thought) {
  static const json::object kNothing;
  const json::object* content = find_object(thought, "content");
  return content != nullptr ? *content : kNothing;
}

std::string joined(const std::vector<std::string>& parts) {
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string sealed(const json::object& content) {
  std::vector<std::string> parts = {"sealed"};
  if (find_bool(content, "withheld").value_or(false)) parts = {"withheld by its provider"};
  if (const auto chars = find_int(content, "chars"); chars && *chars > 0) {
    parts.push_back(count(static_cast<std::uint64_t>(*chars)) + " chars");
  }
  if (const auto ms = find_int(content, "duration_ms")) parts.push_back(duration(*ms));
  if (find_bool(content, "cut_off").value_or(false)) parts.emplace_back("cut off");
  return "(" + joined(parts) + ")";
}

std::string of_tool_request(const json::object& content) {
  std::string out = first_words(find_string(content, "tool_name").value_or("a tool"));
  for (const std::string_view member : {"display_text", "description"}) {
    if (const auto text = find_string(content, member)) return out + ": " + first_words(*text);
  }
  if (const json::value* input = find_member(content, "input")) {
    out += " " + first_words(to_text(*input, Layout::compact));
  }
  return out;
}

std::string of_tool_result(const json::object& content) {
  std::string out = first_words(find_string(content, "tool_name").value_or("a tool"));
  out += find_bool(content, "is_error").value_or(false) ? " failed: " : ": ";
  return out + first_words(find_string(content, "result_text").value_or(""));
}

std::string of_summaries(const json::array& summaries) {
  std::string text;
  for (const json::value& summary : summaries) {
    if (!summary.is_string()) continue;
    text += (text.empty() ? "" : " ") + std::string(view(summary.get_string()));
  }
  return first_words(text);
}

std::string of_attachment(const json::object& content) {
  std::string out = first_words(find_string(content, "kind").value_or("file"));
  for (const std::string_view member : {"name", "reference", "mime"}) {
    if (const auto text = find_string(content, member)) return out + " " + first_words(*text);
  }
  return out;
}

}  // namespace

std::string_view kind_of(const json::object& thought) {
  return thought::kind_of(find_string(thought, "type").value_or("?"));
}

Colour colour_of(std::string_view kind) {
  if (kind == "human_input" || kind == "attachment") return Colour::green;
  if (kind == "response") return Colour::cyan;
  if (kind.find("thinking") != std::string_view::npos) return Colour::magenta;
  if (kind.starts_with("tool_")) return Colour::yellow;
  if (kind == "failure") return Colour::red;
  if (kind == "citation" || kind == "web_resource") return Colour::blue;
  return Colour::faint;
}

std::string gist(const json::object& thought) {
  const json::object& content = content_of(thought);
  const std::string_view kind = kind_of(thought);
  if (kind == "thinking") {
    const auto reasoning = find_string(content, "reasoning");
    return reasoning && !reasoning->empty() ? first_words(*reasoning) : sealed(content);
  }
  if (kind == "redacted_thinking") return sealed(content);
  if (find_object(content, "$layers") != nullptr && content.size() == 1) return "(sealed)";
  if (const json::array* summaries = find_array(content, "summaries")) {
    return of_summaries(*summaries);
  }
  if (kind == "tool_request") return of_tool_request(content);
  if (kind == "tool_result") return of_tool_result(content);
  if (kind == "attachment") return of_attachment(content);
  constexpr std::array<std::string_view, 9> kTelling = {
      "text", "summary", "url", "title", "name", "relation", "block_type", "role", "session_id"};
  for (const std::string_view member : kTelling) {
    const auto text = find_string(content, member);
    if (text && !text->empty()) return first_words(*text);
  }
  if (find_object(content, "$layers") != nullptr) return "(sealed)";
  return first_words(to_text(content, Layout::compact));
}

std::string brief(std::string_view cid) {
  if (cid.starts_with(Cid::kPrefix)) cid.remove_prefix(Cid::kPrefix.size());
  return on_one_line(cid.substr(0, 12));
}

const std::string& Names::of(std::string_view cid) {
  const auto known = names_.find(std::string(cid));
  if (known != names_.end()) return known->second;
  std::string name = brief(cid);
  if (const Result<Cid> parsed = Cid::parse(cid)) {
    const Result<json::object> identity = query::get(library_, *parsed, query::Layers::open);
    if (identity) {
      const auto found = find_string(content_of(*identity), "name");
      if (found && !found->empty()) name = first_words(*found);
    }
  }
  return names_.emplace(cid, std::move(name)).first->second;
}

std::string ThoughtLine::str(const Style& style, std::size_t columns) const {
  std::string out = style.paint(colour_of(kind), kind) + "  " + style.paint(Colour::faint, cid) +
                    " " + style.paint(Colour::faint, when);
  std::size_t taken = display_width(kind) + cid.size() + when.size() + 3;
  if (!who.empty()) {
    out += "  " + who;
    taken += display_width(who) + 2;
  }
  const std::size_t room = columns > taken + 2 ? columns - taken - 2 : 0;
  if (!words.empty()) out += "  " + fitted(words, std::max(kLeastWords, room));
  return out;
}

ThoughtLine line_of(const json::object& thought, Names& names, When when) {
  const Millis time = find_int(thought, "created_at").value_or(0);
  const std::string_view kind = kind_of(thought);
  ThoughtLine line{.kind = on_one_line(kind),
                   .cid = brief(find_string(thought, "cid").value_or("")),
                   .when = when == When::time ? local_time(time) : local_date_time(time),
                   .words = fitted(gist(thought), kMaxWords)};
  // A tool's words begin with its name already.
  if (kind != "tool_result") {
    line.who = fitted(names.of(find_string(thought, "created_by").value_or("")), 24);
  }
  return line;
}

}  // namespace weft::cli

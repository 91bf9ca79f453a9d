#include "weft/query/ask/summary_line.hpp"

#include <array>
#include <utility>
#include <vector>

#include "weft/base/figures.hpp"
#include "weft/base/utf8.hpp"
#include "weft/query/questions.hpp"

namespace weft::query {
namespace {

// A line of a terminal shows a few hundred characters at most.
constexpr std::size_t kFirstWordsCodePoints = 600;

std::string joined(const std::vector<std::string>& parts) {
  std::string out;
  for (const std::string& part : parts) out += (out.empty() ? "" : ", ") + part;
  return out;
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
    out += " " + first_words(canonical_json(*input));
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

// The length in bytes: 1, or 3 for U+2028 and U+2029, which end lines too; 0 if it does not begin
// with white space.
std::size_t blank_at(std::string_view text) {
  if (text.front() == ' ' || text.front() == '\n' || text.front() == '\t' || text.front() == '\r') {
    return 1;
  }
  return text.starts_with("\xE2\x80\xA8") || text.starts_with("\xE2\x80\xA9") ? 3 : 0;
}

}  // namespace

std::string_view kind_of(const json::object& thought) {
  return thought::kind_of(find_string(thought, "type").value_or("?"));
}

const json::object& content_of(const json::object& thought) {
  static const json::object kNothing;
  const json::object* content = find_object(thought, "content");
  return content != nullptr ? *content : kNothing;
}

std::string summary_line(const json::object& thought) {
  const json::object& content = content_of(thought);
  const std::string_view kind = kind_of(thought);
  if (kind == "thinking") {
    const auto reasoning = find_string(content, "reasoning");
    if (reasoning && !reasoning->empty()) return first_words(*reasoning);
  }
  if (kind == "thinking" || kind == "redacted_thinking") {
    const json::object* summary = find_object(thought, "summary");
    const auto text = summary != nullptr ? find_string(*summary, "text") : std::nullopt;
    return text ? "(summary) " + first_words(*text) : sealed(content);
  }
  if (find_object(content, "$layers") != nullptr && content.size() == 1) return "(sealed)";
  if (const json::array* summaries = find_array(content, "summaries")) {
    return of_summaries(*summaries);
  }
  if (kind == "tool_request") return of_tool_request(content);
  if (kind == "tool_result") return of_tool_result(content);
  if (kind == "attachment") return of_attachment(content);
  constexpr std::array<std::string_view, 9> kShownMembers = {
      "text", "summary", "url", "title", "name", "relation", "block_type", "role", "session_id"};
  for (const std::string_view member : kShownMembers) {
    const auto text = find_string(content, member);
    if (text && !text->empty()) return first_words(*text);
  }
  if (find_object(content, "$layers") != nullptr) return "(sealed)";
  return first_words(canonical_json(content));
}

std::string first_words(std::string_view text) {
  // Cut in bytes before anything else: a tool may have printed megabytes.
  const bool cut = text.size() > 4 * kFirstWordsCodePoints;
  text = cut_utf8(text, 4 * kFirstWordsCodePoints);
  std::string line;
  bool blank = false;
  while (!text.empty()) {
    if (const std::size_t bytes = blank_at(text)) {
      blank = !line.empty();
      text.remove_prefix(bytes);
      continue;
    }
    if (std::exchange(blank, false)) line += ' ';
    line += text.front();
    text.remove_prefix(1);
  }
  if (cut) line += "…";
  return line;
}

std::string brief(std::string_view cid) {
  if (cid.starts_with(Cid::kPrefix)) cid.remove_prefix(Cid::kPrefix.size());
  return std::string(cid.substr(0, 12));
}

const std::string& Names::of(std::string_view cid) {
  const auto known = names_.find(std::string(cid));
  if (known != names_.end()) return known->second;
  std::string name = brief(cid);
  if (const Result<Cid> parsed = Cid::parse(cid)) {
    const Result<json::object> identity = get(library_, *parsed, Layers::open);
    if (identity) {
      const auto found = find_string(content_of(*identity), "name");
      if (found && !found->empty()) name = first_words(*found);
    }
  }
  return names_.emplace(cid, std::move(name)).first->second;
}

}  // namespace weft::query

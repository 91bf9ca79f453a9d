#include "weft/query/handover/handover_text.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "weft/base/time.hpp"
#include "weft/base/utf8.hpp"
#include "weft/query/handover/handover.hpp"

namespace weft::query {
namespace {

// The longest quotation of each kind, in bytes.
constexpr std::size_t kTaskBytes = 480, kBegunBytes = 200, kTodoBytes = 90, kPathBytes = 110,
                      kCallBytes = 140, kDecisionBytes = 150;
constexpr std::size_t kCidPrefix = sizeof "cid:blake3:" - 1, kCidDigits = 12;

// On one line, without what could end the quotation or control a terminal; cut with an ….
std::string clipped(std::string_view text, std::size_t most) {
  std::string line;
  for (const char c : text) {
    const bool is_blank = static_cast<unsigned char>(c) <= 0x20 || c == '\x7f';
    if (!is_blank) line += c == '"' ? '\'' : c;
    else if (!line.empty() && line.back() != ' ') line += ' ';
  }
  while (!line.empty() && line.back() == ' ') line.pop_back();
  if (line.size() <= most) return line;
  constexpr std::string_view kCut = "…";
  return std::string(cut_utf8(line, most - kCut.size())) + std::string(kCut);
}

std::string name_of(const json::object& object) {
  return std::string(find_string(object, "cid").value_or("").substr(kCidPrefix, kCidDigits));
}

std::string quoted(const json::object& object, std::string_view member, std::size_t most) {
  return '"' + clipped(find_string(object, member).value_or(""), most) + '"';
}

std::string text_in(const json::object& object, std::string_view member, std::size_t most) {
  return clipped(find_string(object, member).value_or(""), most);
}

void add_words(std::vector<std::string>& lines, const json::object& answer, std::string_view member,
               std::string_view label, std::size_t most) {
  const json::object* words = find_object(answer, member);
  if (words == nullptr) return;
  lines.push_back(std::string(label) + " (" + name_of(*words) +
                  "): " + quoted(*words, "words", most));
}

template <class Line>
void add_each(std::vector<std::string>& lines, const json::object& answer, std::string_view member,
              const Line& line) {
  const json::array* list = find_array(answer, member);
  if (list == nullptr) return;
  for (const json::value& value : *list) lines.push_back(line(value.get_object()));
}

}  // namespace

std::string call_in_words(const transcript::ToolCall& call) {
  const json::object* input = call.input.if_object();
  if (input == nullptr) return {};
  constexpr std::array<std::string_view, 7> kNames = {"command", "cmd", "file_path", "path",
                                                      "pattern", "url", "query"};
  for (const std::string_view name : kNames) {
    const json::value* value = find_member(*input, name);
    if (value == nullptr) continue;
    return value->is_string() ? std::string(view(value->get_string())) : canonical_json(*value);
  }
  return {};
}

std::string handover_text(const json::object& answer) {
  std::vector<std::string> lines;
  add_words(lines, answer, "task", "task", kTaskBytes);
  add_words(lines, answer, "begun", "began with", kBegunBytes);
  add_each(lines, answer, "todos", [](const json::object& todo) {
    return "open (" + name_of(todo) + "): " + text_in(todo, "status", kTodoBytes) + ", " +
           quoted(todo, "words", kTodoBytes);
  });
  if (const json::object* failure = find_object(answer, "failure")) {
    std::string line =
        "last failure (" + name_of(*failure) + "): " + text_in(*failure, "tool", kCallBytes);
    if (failure->contains("call")) line += ' ' + quoted(*failure, "call", kCallBytes);
    lines.push_back(std::move(line));
  }
  add_each(lines, answer, "files", [](const json::object& file) {
    const std::uint64_t edits = count_or_zero(file, "edits");
    return "file in flight (" + name_of(file) + "): " + text_in(file, "path", kPathBytes) + ", " +
           std::to_string(edits) + (edits == 1 ? " edit" : " edits");
  });
  add_each(lines, answer, "decisions", [](const json::object& words) {
    return "decided (" + name_of(words) + "): " + quoted(words, "words", kDecisionBytes);
  });
  std::string text;
  for (const std::string& line : lines) {
    if (text.size() + line.size() + 1 > kMostHandoverBytes) continue;
    text += line;
    text += '\n';
  }
  return text;
}

}  // namespace weft::query

#include "weft/formats/adapters/codex/results.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "weft/formats/apis/openai/item_parts.hpp"

namespace weft::formats::codex {
namespace {

using transcript::ToolResult;

std::optional<std::int64_t> exit_code_of(const json::object& object) {
  for (const std::string_view key : {"exit_code", "exitCode"}) {
    if (const auto code = find_int(object, key)) return code;
  }
  return std::nullopt;
}

bool begins_with_failure(std::string_view line, std::string_view label) {
  if (!line.starts_with(label)) return false;
  line.remove_prefix(label.size());
  int code = 0;
  const auto [end, error] = std::from_chars(line.begin(), line.end(), code);
  return error == std::errc() && code != 0;
}

// What Codex writes as the whole result of a call that the person did not allow.
constexpr std::array<std::string_view, 2> kRejected = {"exec command rejected by user",
                                                       "patch rejected by user"};

// Shell tools head what was printed with a few lines of their own, up to "Output:".
bool says_failure(std::string_view text) {
  if (text.starts_with("failed in sandbox ")) return true;
  if (std::ranges::find(kRejected, text) != kRejected.end()) return true;
  constexpr int kHeadLines = 8;
  for (int i = 0; i < kHeadLines && !text.empty(); ++i) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    if (line.starts_with("Output:")) return false;
    if (begins_with_failure(line, "Exit code: ") ||
        begins_with_failure(line, "Process exited with code ")) {
      return true;
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return false;
}

void take_text(ToolResult& result, std::string_view text) {
  result.text = text;
  result.is_error = says_failure(text);
}

void take_parts(ToolResult& result, const json::array& parts) {
  const bool is_one_text = parts.size() == 1 && openai::text_of_part(parts[0]);
  bool is_first = true;
  for (const json::value& part : parts) {
    const auto text = openai::text_of_part(part);
    if (!text) continue;
    if (!is_first) result.text += '\n';
    result.text += *text;
    is_first = false;
  }
  result.is_error = says_failure(result.text);
  if (!is_one_text && !parts.empty()) result.parts = parts;
}

void take_value(ToolResult& result, const json::value& value) {
  if (const json::string* text = value.if_string()) take_text(result, view(*text));
  else if (const json::array* parts = value.if_array()) take_parts(result, *parts);
  else if (!value.is_null()) result.details = value;
}

// {"output":"…","metadata":{"exit_code":1,"duration_seconds":0.2}}
bool take_wrapped(ToolResult& result, const json::object& object) {
  const auto output = find_string(object, "output");
  const json::object* metadata = find_object(object, "metadata");
  if (!output || object.size() > 2 || (object.size() == 2 && metadata == nullptr)) return false;
  result.text = *output;
  if (metadata != nullptr) {
    result.is_error = exit_code_of(*metadata).value_or(0) != 0;
    result.details = *metadata;
  }
  return true;
}

void take_object(ToolResult& result, const json::value& value) {
  const json::object& object = value.get_object();
  if (take_wrapped(result, object)) return;
  if (const auto text = openai::text_of_part(value)) {
    take_text(result, *text);
    return;
  }
  if (const json::value* content = find_member(object, "content")) {
    take_value(result, *content);
    const auto success = find_bool(object, "success");
    if (success) result.is_error = !*success;
    return;
  }
  result.details = object;
  result.text = find_string(object, "stdout").value_or("");
  result.text += find_string(object, "stderr").value_or("");
  result.is_error = exit_code_of(object).value_or(0) != 0;
}

}  // namespace

ToolResult parse_output(const json::value& output) {
  ToolResult result;
  if (output.is_object()) {
    take_object(result, output);
    return result;
  }
  if (const json::string* text = output.if_string(); text != nullptr && text->starts_with('{')) {
    const Result<ParsedJson> parsed = parse_json(view(*text));
    const bool is_exact = parsed && !parsed->inexact && parsed->value.is_object();
    if (is_exact && take_wrapped(result, parsed->value.get_object())) return result;
  }
  take_value(result, output);
  return result;
}

}  // namespace weft::formats::codex

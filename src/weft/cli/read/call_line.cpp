#include "weft/cli/read/call_line.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>

#include "weft/cli/render/text.hpp"
#include "weft/query/ask/tool_summary.hpp"

namespace weft::cli {
namespace {

// The exit code at the front of a result, as shells and agents write it, and what follows it.
struct Stated {
  std::int64_t code = 0;
  std::string_view rest{};
};
std::optional<Stated> stated_exit_at(std::string_view text) {
  constexpr std::array<std::string_view, 5> kPhrases = {
      "Exit code: ", "Exit code ", "exit code: ", "Process exited with code ", "Exited with code "};
  for (const std::string_view phrase : kPhrases) {
    if (!text.starts_with(phrase)) continue;
    const std::string_view number = text.substr(phrase.size());
    Stated stated;
    const auto [end, error] =
        std::from_chars(number.data(), number.data() + number.size(), stated.code);
    if (error != std::errc()) return std::nullopt;
    stated.rest = number.substr(static_cast<std::size_t>(end - number.data()));
    if (stated.rest.starts_with('\n')) stated.rest.remove_prefix(1);
    return stated;
  }
  return std::nullopt;
}

std::optional<Stated> stated_exit(std::string_view text) {
  // Codex writes a few lines about the process before what it printed.
  constexpr std::string_view kOutput = "Output:\n";
  constexpr std::string_view kExited = "Process exited with code ";
  constexpr std::size_t kLongestHead = 400;
  const std::string_view head = text.substr(0, kLongestHead);
  const std::size_t output = head.find(kOutput), exited = head.find(kExited);
  if (exited != std::string_view::npos && output != std::string_view::npos && exited < output) {
    auto stated = stated_exit_at(text.substr(exited));
    if (stated) stated->rest = text.substr(output + kOutput.size());
    return stated;
  }
  return stated_exit_at(text);
}

std::optional<std::int64_t> exit_in(const json::object& details) {
  for (const std::string_view name : {"exit_code", "exitCode", "code"}) {
    if (const auto code = find_int(details, name)) return code;
  }
  const json::object* metadata = find_object(details, "metadata");
  return metadata == nullptr ? std::nullopt : find_int(*metadata, "exit_code");
}

std::string shortened(std::string_view path, const std::optional<std::string>& directory) {
  if (!directory || directory->empty() || !path.starts_with(*directory)) return std::string(path);
  std::string_view inside = path.substr(directory->size());
  if (!inside.starts_with('/')) return std::string(path);
  inside.remove_prefix(1);
  return inside.empty() ? "." : std::string(inside);
}

}  // namespace

CallLine call_line(const json::object& content, const Edits& edits,
                   const std::optional<std::string>& directory) {
  CallLine line;
  for (const auto& member : query::tool_summary(content)) {
    const std::string_view key(member.key());
    const json::string* value = member.value().if_string();
    if (value == nullptr) continue;
    if (key == "tool") {
      line.tool = first_words(view(*value));
      continue;
    }
    const std::string words =
        key == "file" ? shortened(view(*value), directory) : std::string(view(*value));
    line.argument += (line.argument.empty() ? "" : " ") + first_words(words);
  }
  // The description stands for the arguments where none of them is known.
  for (const std::string_view member : {"display_text", "description"}) {
    const auto text = find_string(content, member);
    if (line.argument.empty() && text) line.argument = first_words(*text);
  }
  if (line.argument.empty()) {
    const json::value* input = find_member(content, "input");
    const json::object* arguments = input == nullptr ? nullptr : input->if_object();
    if (arguments != nullptr && !arguments->empty()) {
      line.argument = first_words(canonical_json(*input));
    }
  }
  if (!edits.empty()) line.figures = fmt::format("+{} -{}", edits.added, edits.removed);
  return line;
}

CallResult call_result(const json::object& content) {
  CallResult result{.is_error = find_bool(content, "is_error").value_or(false)};
  std::string_view text = find_string(content, "result_text").value_or("");
  if (const json::object* details = find_object(content, "details")) {
    result.exit = exit_in(*details);
  }
  if (const auto stated = stated_exit(text)) {
    result.exit = stated->code;
    text = stated->rest;
  }
  result.text = std::string(text);
  return result;
}

std::string outcome_text(const CallResult& result) {
  if (result.exit && *result.exit != 0) return fmt::format("exit {}", *result.exit);
  return result.is_error ? "failed" : "";
}

}  // namespace weft::cli

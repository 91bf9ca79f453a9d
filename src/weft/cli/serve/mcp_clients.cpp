#include "weft/cli/serve/mcp_clients.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "weft/base/json.hpp"
#include "weft/base/try.hpp"

namespace weft::cli {
namespace {

constexpr std::array<McpClient, 8> kClients = {{
    {"claude", "Claude Code", ".claude.json"},
    {"claude-desktop", "Claude Desktop", ".config/Claude/claude_desktop_config.json"},
    {"codex", "Codex", ".codex/config.toml", ConfigShape::codex},
    {"copilot", "Copilot CLI", ".copilot/mcp-config.json"},
    {"cursor", "Cursor", ".cursor/mcp.json"},
    {"gemini", "Gemini CLI", ".gemini/settings.json"},
    {"opencode", "OpenCode", ".config/opencode/opencode.json", ConfigShape::opencode},
    {"qwen", "Qwen Code", ".qwen/settings.json"},
}};

constexpr std::string_view kSection = "[mcp_servers.weft]";

json::array to_array(std::span<const std::string> words) {
  return json::array(words.begin(), words.end());
}

json::object server_entry(ConfigShape shape, const ServerCommand& command) {
  if (shape == ConfigShape::opencode) {
    return {{"type", "local"}, {"command", to_array(command)}, {"enabled", true}};
  }
  return {{"command", command.front()}, {"args", to_array(std::span(command).subspan(1))}};
}

std::string_view list_name(ConfigShape shape) {
  return shape == ConfigShape::opencode ? "mcp" : "mcpServers";
}

// A basic string of TOML is written like one of JSON.
std::string toml_string(std::string_view text) {
  std::string out;
  append_canonical_string(out, text);
  return out;
}

std::string toml_section(const ServerCommand& command) {
  std::string out = std::string(kSection) + "\ncommand = " + toml_string(command.front());
  out += "\nargs = [";
  for (std::size_t i = 1; i < command.size(); ++i) {
    out += (i > 1 ? ", " : "") + toml_string(command[i]);
  }
  return out + "]\n";
}

std::string_view trimmed(std::string_view line) {
  const std::size_t begin = line.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return line.substr(begin, line.find_last_not_of(" \t\r") - begin + 1);
}

// Takes the first line off, with its end. Precondition: !text.empty().
std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size() - 1);
  const std::string_view line = text.substr(0, end + 1);
  text.remove_prefix(end + 1);
  return line;
}

// Replaces the section, up to the next heading; without one it is appended.
Result<std::string> with_section(std::string_view text, const ServerCommand& command) {
  std::string out;
  bool is_ours = false, was_there = false;
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    const std::string_view words = trimmed(line.substr(0, line.find_last_not_of('\n') + 1));
    if (words.starts_with('[')) {
      const bool was_ours = std::exchange(is_ours, words == kSection);
      if (was_ours && !is_ours) out += '\n';
      if (is_ours && !was_there) out += toml_section(command);
      was_there = was_there || is_ours;
    }
    if (!is_ours) out += line;
  }
  if (was_there) return out;
  if (!out.empty() && !out.ends_with('\n')) out += '\n';
  return out + (out.empty() ? "" : "\n") + toml_section(command);
}

// The text without the section, and without the blank line before it.
std::string without_section(std::string_view text) {
  std::string out;
  bool is_ours = false;
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    const std::string_view words = trimmed(line.substr(0, line.find_last_not_of('\n') + 1));
    if (words.starts_with('[')) {
      const bool was_ours = std::exchange(is_ours, words == kSection);
      if (is_ours && !was_ours && out.ends_with("\n\n")) out.pop_back();
    }
    if (!is_ours) out += line;
  }
  return out;
}

// The value of `command` in the section, as it is written there; a part of `text`, or empty.
std::string_view command_in_section(std::string_view text) {
  constexpr std::string_view kCommand = "command";
  bool is_ours = false;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.starts_with('[')) is_ours = line == kSection;
    if (!is_ours || !line.starts_with(kCommand)) continue;
    const std::size_t quote = line.find('"');
    return quote == std::string_view::npos ? std::string_view() : line.substr(quote);
  }
  return {};
}

std::optional<std::string> program_in_section(std::string_view text) {
  const Result<ParsedJson> value = parse_json(command_in_section(text));
  if (!value || !value->value.is_string()) return std::nullopt;
  return std::string(view(value->value.get_string()));
}

// weft's entry in a client's JSON configuration; null if there is none.
json::object* entry_in(ConfigShape shape, json::object& document) {
  json::value* servers = document.if_contains(list_name(shape));
  if (servers == nullptr || !servers->is_object()) return nullptr;
  json::value* weft = servers->get_object().if_contains("weft");
  return weft == nullptr ? nullptr : weft->if_object();
}

}  // namespace

std::span<const McpClient> mcp_clients() { return kClients; }

const McpClient* find_mcp_client(std::string_view name) {
  const auto found = std::ranges::find(kClients, name, &McpClient::name);
  return found == kClients.end() ? nullptr : &*found;
}

std::string shown_config(ConfigShape shape, const ServerCommand& command) {
  if (shape == ConfigShape::codex) return toml_section(command);
  json::object servers{{"weft", server_entry(shape, command)}};
  return pretty_json(json::object{{list_name(shape), std::move(servers)}}) + "\n";
}

Result<std::string> without_weft(ConfigShape shape, std::string_view text) {
  if (shape == ConfigShape::codex) return without_section(text);
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) return std::string(text);
  WEFT_TRY_VALUE(auto parsed, parse_json(text));
  if (!parsed.value.is_object() || parsed.inexact) {
    return fail(ErrorCode::invalid_input,
                "it is not a JSON object that can be written back unchanged");
  }
  json::object& document = parsed.value.get_object();
  json::value* servers = document.if_contains(list_name(shape));
  if (servers == nullptr || !servers->is_object()) return std::string(text);
  if (servers->get_object().erase("weft") == 0) return std::string(text);
  if (servers->get_object().empty()) document.erase(list_name(shape));
  return pretty_json(document) + "\n";
}

std::optional<std::string> weft_program_in(ConfigShape shape, std::string_view text) {
  if (shape == ConfigShape::codex) return program_in_section(text);
  const Result<ParsedJson> parsed = parse_json(text);
  const json::object* document = parsed ? parsed->value.if_object() : nullptr;
  const json::object* servers =
      document == nullptr ? nullptr : find_object(*document, list_name(shape));
  const json::object* weft = servers == nullptr ? nullptr : find_object(*servers, "weft");
  if (weft == nullptr) return std::nullopt;
  if (const auto command = find_string(*weft, "command")) return std::string(*command);
  const json::array* words = find_array(*weft, "command");
  if (words == nullptr || words->empty() || !words->front().is_string()) return std::nullopt;
  return std::string(view(words->front().get_string()));
}

Result<std::string> with_weft_program(ConfigShape shape, std::string_view text,
                                      const std::string& program) {
  if (!weft_program_in(shape, text)) return std::string(text);
  if (shape == ConfigShape::codex) {
    const std::string_view value = command_in_section(text);
    std::string out(text);
    const auto at = static_cast<std::size_t>(value.data() - text.data());
    out.replace(at, value.size(), toml_string(program));
    return out;
  }
  WEFT_TRY_VALUE(auto parsed, parse_json(text));
  if (parsed.inexact) {
    return fail(ErrorCode::invalid_input,
                "it is not a JSON object that can be written back unchanged");
  }
  json::object& document = parsed.value.get_object();
  json::value& command = (*entry_in(shape, document))["command"];
  if (json::array* words = command.if_array()) words->front() = program;
  else command = program;
  return pretty_json(document) + "\n";
}

Result<std::string> with_weft(ConfigShape shape, std::string_view text,
                              const ServerCommand& command) {
  if (shape == ConfigShape::codex) return with_section(text, command);
  json::object document;
  if (text.find_first_not_of(" \t\r\n") != std::string_view::npos) {
    WEFT_TRY_VALUE(auto parsed, parse_json(text));
    if (!parsed.value.is_object() || parsed.inexact) {
      return fail(ErrorCode::invalid_input,
                  "it is not a JSON object that can be written back unchanged");
    }
    document = std::move(parsed.value.get_object());
  }
  json::value& servers = document[list_name(shape)];
  if (servers.is_null()) servers = json::object();
  if (!servers.is_object()) {
    return fail(ErrorCode::invalid_input, std::string(list_name(shape)) + " is not a JSON object");
  }
  servers.get_object()["weft"] = server_entry(shape, command);
  return pretty_json(document) + "\n";
}

}  // namespace weft::cli

// The one thing that is wanted of workspace.yaml: the session's name. It is written by a
// program, so the plain forms of a YAML scalar are enough.
#include <algorithm>
#include <string>

#include "weft/formats/adapters/copilot/event.hpp"
#include "weft/formats/reading/text.hpp"

namespace weft::formats::copilot {
namespace {

std::string_view read_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

// A scalar in single quotes: '' is one of them.
std::string unquote_single(std::string_view value) {
  std::string out;
  for (std::size_t i = 1; i + 1 < value.size(); ++i) {
    out += value[i];
    if (value[i] == '\'') ++i;
  }
  return out;
}

// The lines of a block scalar ("name: |-"), which are indented, as one.
std::string join_block(std::string_view rest) {
  std::string out;
  while (!rest.empty()) {
    const std::string_view line = read_line(rest);
    if (!line.empty() && line.front() != ' ' && line.front() != '\t') break;
    if (trim(line).empty()) continue;
    if (!out.empty()) out += ' ';
    out += trim(line);
  }
  return out;
}

std::string scalar_of(std::string_view value, std::string_view rest) {
  if (value.empty() || value == "null" || value == "~") return {};
  if (value.front() == '"') {
    const Result<ParsedJson> parsed = parse_json(value);
    return parsed && parsed->value.is_string() ? std::string(view(parsed->value.get_string())) : "";
  }
  if (value.front() == '\'') return unquote_single(value);
  if (value.front() == '|' || value.front() == '>') return join_block(rest);
  const std::size_t comment = value.find(" #");
  return std::string(trim(value.substr(0, comment)));
}

std::string find_scalar(std::string_view yaml, std::string_view key) {
  while (!yaml.empty()) {
    std::string_view line = read_line(yaml);
    if (!line.starts_with(key) || !line.substr(key.size()).starts_with(':')) continue;
    return scalar_of(trim(line.substr(key.size() + 1)), yaml);
  }
  return {};
}

}  // namespace

// Older versions have a summary for it.
std::string name_in(std::string_view yaml) {
  std::string name = find_scalar(yaml, "name");
  return name.empty() ? find_scalar(yaml, "summary") : name;
}

}  // namespace weft::formats::copilot

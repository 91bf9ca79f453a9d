#include "weft/cli/app/config.hpp"

#include "weft/base/file.hpp"
#include "weft/base/json.hpp"

namespace weft::cli {
namespace {

constexpr std::size_t kMaxConfigBytes = 1u << 20;

std::unexpected<Error> wrong(const std::filesystem::path& path, std::string_view what) {
  return fail(ErrorCode::invalid_input, path.string() + ": " + std::string(what));
}

}  // namespace

std::string with_home(std::string_view path, const Environment& environment) {
  const bool is_home = path == "~" || path.starts_with("~/");
  if (!is_home || !environment.home) return std::string(path);
  return *environment.home + std::string(path.substr(1));
}

Result<Config> read_config(const Home& home, const Environment& environment) {
  const std::filesystem::path path = home.directory / "config.json";
  Config config;
  Result<std::string> text = read_file(path, kMaxConfigBytes);
  if (!text) {
    if (text.error().code == ErrorCode::not_found) return config;
    return fail(std::move(text).error());
  }
  const Result<ParsedJson> parsed = parse_json(*text);
  if (!parsed) return wrong(path, parsed.error().message);
  const json::object* object = parsed->value.if_object();
  if (object == nullptr) return wrong(path, "is not a JSON object");
  for (const auto& [key, value] : *object) {
    const std::string name(key);
    const auto texts = [&](std::vector<std::string>& into) {
      const json::array* array = value.if_array();
      if (array == nullptr) return false;
      for (const json::value& element : *array) {
        if (!element.is_string()) return false;
        into.push_back(with_home(view(element.get_string()), environment));
      }
      return true;
    };
    const auto text_or_nothing = [&](std::optional<std::string>& into) {
      if (const json::string* text = value.if_string()) into = std::string(view(*text));
      return value.is_string();
    };
    if (name == "include" || name == "exclude" || name == "roots") {
      std::vector<std::string>& into = name == "include"   ? config.selection.include
                                       : name == "exclude" ? config.selection.exclude
                                                           : config.roots;
      if (!texts(into)) return wrong(path, "\"" + name + "\" is not a list of strings");
    } else if (name == "subagents" || name == "index_sealed") {
      if (!value.is_bool()) return wrong(path, "\"" + name + "\" is neither true nor false");
      (name == "subagents" ? config.selection.subagents : config.index_sealed) = value.get_bool();
    } else if (name == "human") {
      if (!text_or_nothing(config.human)) return wrong(path, "\"human\" is not a string");
    } else {
      return wrong(path, "\"" + name +
                             "\" is not a known member; the members are include, exclude, "
                             "subagents, human, roots, index_sealed");
    }
  }
  return config;
}

}  // namespace weft::cli

#include "weft/cli/app/config.hpp"

#include <algorithm>
#include <charconv>

#include "weft/base/json.hpp"
#include "weft/base/regular_file.hpp"
#include "weft/query/cost/load_prices.hpp"

namespace weft::cli {
namespace {

constexpr std::size_t kMaxConfigBytes = 1u << 20;

// "config.json:3: what", by the offset of what is wrong.
std::unexpected<Error> wrong(const std::filesystem::path& path, std::string_view text,
                             std::size_t offset, std::string_view what) {
  const auto line = 1 + std::ranges::count(text.substr(0, offset), '\n');
  return fail(ErrorCode::invalid_input,
              path.string() + ":" + std::to_string(line) + ": " + std::string(what));
}

// The offset in "JSON at byte 17: …"; 0 if the message names no byte.
std::size_t offset_in(std::string_view message) {
  constexpr std::string_view kBefore = "at byte ";
  std::size_t offset = 0;
  if (const auto at = message.find(kBefore); at != std::string_view::npos) {
    const char* digits = message.data() + at + kBefore.size();
    std::from_chars(digits, message.data() + message.size(), offset);
  }
  return offset;
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
  Result<std::string> text = read_regular_file(path, kMaxConfigBytes, Readers::anyone);
  if (!text) {
    if (text.error().code == ErrorCode::not_found) return config;
    return fail(std::move(text).error());
  }
  const Result<ParsedJson> parsed = parse_json(*text);
  if (!parsed) {
    return wrong(path, *text, offset_in(parsed.error().message), parsed.error().message);
  }
  const json::object* object = parsed->value.if_object();
  if (object == nullptr) return wrong(path, *text, 0, "is not a JSON object");
  for (const auto& [key, value] : *object) {
    const std::string name(key);
    const auto wrong_member = [&](std::string_view what) {
      // A member that is spelled with escapes is not found, and is named without its line.
      const std::size_t offset = text->find("\"" + name + "\"");
      return wrong(path, *text, offset == std::string::npos ? 0 : offset,
                   "\"" + name + "\" " + std::string(what));
    };
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
      if (const json::string* string = value.if_string()) into = std::string(view(*string));
      return value.is_string();
    };
    if (name == "include" || name == "exclude" || name == "roots") {
      std::vector<std::string>& into = name == "include"   ? config.selection.include
                                       : name == "exclude" ? config.selection.exclude
                                                           : config.roots;
      if (!texts(into)) return wrong_member("is not a list of strings");
    } else if (name == "subagents" || name == "index_sealed") {
      if (!value.is_bool()) return wrong_member("is neither true nor false");
      (name == "subagents" ? config.selection.subagents : config.index_sealed) = value.get_bool();
    } else if (name == "human") {
      if (!text_or_nothing(config.human)) return wrong_member("is not a string");
    } else if (name == "prices") {
      const json::object* prices = value.if_object();
      if (prices == nullptr) return wrong_member("is not an object");
      if (const auto rows = query::parse_overrides(*prices); !rows) {
        return wrong_member(rows.error().message);
      }
      config.prices = *prices;
    } else if (name == "remotes") {
      Result<std::vector<RemoteConfig>> remotes = parse_remotes(value, environment);
      if (!remotes) return wrong_member(remotes.error().message);
      config.remotes = *std::move(remotes);
    } else {
      return wrong_member(
          "is not a known member; the members are include, exclude, subagents, human, roots, "
          "index_sealed, prices, remotes");
    }
  }
  return config;
}

}  // namespace weft::cli

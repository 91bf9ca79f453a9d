#include "weft/mcp/answers/rendering.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "weft/base/figures.hpp"
#include "weft/base/time.hpp"
#include "weft/base/utf8.hpp"
#include "weft/mcp/protocol/tool.hpp"

namespace weft::mcp {
namespace {

constexpr std::string_view kIndent = "  ";
constexpr std::size_t kTitleCodePoints = 120;

bool has_layers(const json::value& value);

bool has_layers(const json::object& object) {
  return std::ranges::any_of(object, [](const auto& member) {
    return member.key() == "$layers" || has_layers(member.value());
  });
}

bool has_layers(const json::value& value) {
  if (const json::object* object = value.if_object()) return has_layers(*object);
  const json::array* array = value.if_array();
  return array != nullptr && std::ranges::any_of(*array, [](const json::value& element) {
           return has_layers(element);
         });
}

// The number of bytes of the first `code_points`.
std::size_t bytes_of(std::string_view text, std::size_t code_points) {
  return slice_code_points(text, 0, code_points).size();
}

}  // namespace

void append_quoted(std::string& out, std::string_view label, std::string_view words) {
  if (words.empty()) return;
  out.append(label).append(":\n");
  while (!words.empty()) {
    const std::size_t end = std::min(words.find('\n'), words.size());
    const std::string_view line = words.substr(0, end);
    if (!line.empty()) out.append(kIndent).append(line);
    out += '\n';
    words.remove_prefix(std::min(end + 1, words.size()));
  }
}

std::string in_quotes(std::string_view words) {
  const std::string line = query::first_words(words);
  const std::string_view kept = slice_code_points(line, 0, kTitleCodePoints);
  return "\"" + std::string(kept) + (kept.size() < line.size() ? "…" : "") + "\"";
}

std::string text_or(const json::object& object, std::string_view member, std::string_view other) {
  return query::first_words(find_string(object, member).value_or(other));
}

const json::array& list_in(const json::object& object, std::string_view member) {
  static const json::array kNone;
  const json::array* list = find_array(object, member);
  return list == nullptr ? kNone : *list;
}

std::string notes_in(const json::object& answer) {
  std::string out;
  for (const json::value& note : list_in(answer, "notes")) {
    if (note.is_string()) out.append(view(note.get_string())).append("\n");
  }
  return out;
}

std::string_view foreign_mark(const json::object& shown) {
  return find_bool(shown, "foreign").value_or(false) ? " (foreign: not by the owner)" : "";
}

std::string_view witnessed_mark(const json::object& shown) {
  return shown.contains("witnessed") ? " (witnessed by weft record)" : "";
}

std::string moment(const json::object& object, std::string_view member) {
  const Millis time = find_int(object, member).value_or(0);
  return time == 0 ? "at an unknown time" : to_iso8601(time);
}

std::string call_of(std::string_view tool, const json::object& arguments) {
  json::object given = arguments;
  if (find_int(given, "max_chars") == kDefaultChars) given.erase("max_chars");
  return std::string(tool) + " " + canonical_json(given);
}

std::string marked_snippet(const json::object& result) {
  const std::string_view text = find_string(result, "snippet").value_or("");
  std::string out;
  std::size_t at = 0;  // bytes
  for (const json::value& mark : list_in(result, "marks")) {
    const json::array* ends = mark.if_array();
    if (ends == nullptr || ends->size() != 2) continue;
    const auto to_bytes = [&](const json::value& end) {
      return bytes_of(text, end.is_int64()    ? static_cast<std::size_t>(end.get_int64())
                            : end.is_uint64() ? end.get_uint64()
                                              : 0);
    };
    const std::size_t begin = to_bytes((*ends)[0]), end = to_bytes((*ends)[1]);
    if (begin < at || end <= begin) continue;
    out.append(text.substr(at, begin - at)).append("**");
    out.append(text.substr(begin, end - begin)).append("**");
    at = end;
  }
  return out.append(text.substr(at));
}

std::string span_of(std::uint64_t offset, std::uint64_t shown, std::uint64_t total) {
  if (shown == 0) return fmt::format("none of {} after the first {}", count(total), offset);
  if (shown == total) return shown == 1 ? "the only one" : fmt::format("all {}", count(total));
  return fmt::format("{} to {} of {}", offset + 1, offset + shown, count(total));
}

std::string sealed_note(const json::object& structured, const crypto::Keyring* keyring) {
  if (!has_layers(structured)) return {};
  if (keyring == nullptr) {
    return "Sealed parts cannot be opened: this server has no keyring. The owner's keyring opens "
           "them, or one made by `weft keys export --layer content`.\n";
  }
  if (keyring->layer(crypto::Layer::content) == nullptr) {
    return "Reasoning is sealed: the keyring of this server opens only the metadata layer. The "
           "owner's keyring opens the rest, or one made by `weft keys export --layer content`.\n";
  }
  return "Sealed parts were sealed with other keys than those of this server's keyring.\n";
}

}  // namespace weft::mcp

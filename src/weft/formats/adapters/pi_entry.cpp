#include "weft/formats/adapters/pi_entry.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace weft::formats::pi {
namespace {

// Numbers up to here are seconds: as milliseconds they would be moments of 1970 to 1973.
constexpr Millis kMaxSeconds = 100'000'000'000;
constexpr Millis kMaxMillis = 100'000'000'000'000;  // the year 5138

constexpr std::array<std::string_view, 11> kKnownTypes = {"message",
                                                          "compaction",
                                                          "branch_summary",
                                                          "custom",
                                                          "custom_message",
                                                          "label",
                                                          "session_info",
                                                          "model_change",
                                                          "thinking_level_change",
                                                          "active_tools_change",
                                                          "title"};

constexpr std::string_view kSlashes = "/\\";

}  // namespace

std::optional<Millis> find_moment(const json::object& object, std::string_view key) {
  if (const auto text = find_string(object, key)) return parse_iso8601(*text);
  const json::value* value = find_member(object, key);
  if (value == nullptr) return std::nullopt;
  Millis moment = 0;
  if (value->is_int64()) {
    moment = value->get_int64();
  } else if (value->is_double() && std::abs(value->get_double()) < double(kMaxMillis)) {
    moment = static_cast<Millis>(value->get_double());
  }
  if (moment <= 0 || moment > kMaxMillis) return std::nullopt;
  return moment <= kMaxSeconds ? moment * 1000 : moment;
}

std::optional<std::string_view> find_name(const json::object& object, std::string_view key) {
  const auto name = find_string(object, key);
  if (!name || name->empty() || name->size() > kMaxNameBytes) return std::nullopt;
  return name;
}

Entry parse_entry(const json::object& object) {
  Entry entry{.type = find_string(object, "type").value_or(""),
              .id = find_name(object, "id"),
              .time = find_moment(object, "timestamp")};
  // "#7" is how we count those that have none.
  if (entry.id && entry.id->starts_with('#')) entry.id.reset();
  if (const json::value* parent = find_member(object, "parentId")) {
    if (parent->is_null()) entry.follows = Entry::Follows::nothing;
    if (const auto name = find_name(object, "parentId")) {
      entry.follows = Entry::Follows::named;
      entry.parent = *name;
    }
  }
  return entry;
}

bool is_header(const json::object& object) {
  if (find_string(object, "type") != "session" || !find_string(object, "id")) return false;
  if (object.contains("createdAt") || object.contains("delegationDepth")) return false;
  if (find_int(object, "version") == 0) return false;
  return object.contains("timestamp") || object.contains("version") || object.contains("cwd");
}

bool is_known_entry(const json::object& object) {
  const std::string_view type = find_string(object, "type").value_or("");
  if (type == "session") return is_header(object);
  if (type == "message") return find_object(object, "message") != nullptr;
  return std::ranges::find(kKnownTypes, type) != kKnownTypes.end();
}

std::optional<std::string_view> find_glued_entry(std::string_view text) {
  constexpr std::string_view kOpening = "{\"type\":\"";
  constexpr int kPlacesToTry = 32;
  std::size_t at = text.find(kOpening, 1);
  for (int i = 0; i < kPlacesToTry && at != std::string_view::npos; ++i) {
    const Result<ParsedJson> parsed = parse_json(text.substr(at));
    const json::object* object = parsed ? parsed->value.if_object() : nullptr;
    if (object != nullptr && is_known_entry(*object)) return text.substr(at);
    at = text.find(kOpening, at + 1);
  }
  return std::nullopt;
}

std::string session_of_reference(std::string_view reference) {
  constexpr std::string_view kSuffix = ".jsonl";
  const bool is_path =
      reference.find_first_of(kSlashes) != std::string_view::npos || reference.ends_with(kSuffix);
  if (!is_path) return std::string(reference);
  std::string_view stem = last_component(reference);
  if (stem.ends_with(kSuffix)) stem.remove_suffix(kSuffix.size());
  // "2025-12-09T00-53-29-825Z_ffae836b-…": the time has no underscore in it.
  const std::size_t underscore = stem.find('_');
  if (underscore != std::string_view::npos) stem.remove_prefix(underscore + 1);
  return std::string(stem);
}

std::string_view last_component(std::string_view path) {
  const std::size_t last = path.find_last_not_of(kSlashes);
  if (last == std::string_view::npos) return {};
  path = path.substr(0, last + 1);
  const std::size_t slash = path.find_last_of(kSlashes);
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

}  // namespace weft::formats::pi

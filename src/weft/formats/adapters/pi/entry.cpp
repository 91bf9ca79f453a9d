#include "weft/formats/adapters/pi/entry.hpp"

#include <algorithm>
#include <array>

#include "weft/formats/reading/json_reader.hpp"
#include "weft/formats/reading/members.hpp"
#include "weft/formats/reading/text.hpp"

namespace weft::formats::pi {
namespace {

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

}  // namespace

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
  constexpr auto kOpenings = std::to_array<std::string_view>({"{\"type\":\""});
  constexpr int kPlacesToTry = 32;
  return find_glued(text, kOpenings, is_known_entry, kPlacesToTry);
}

std::string session_of_reference(std::string_view reference) {
  constexpr std::string_view kSuffix = ".jsonl";
  const bool is_path =
      reference.find_first_of("/\\") != std::string_view::npos || reference.ends_with(kSuffix);
  if (!is_path) return std::string(reference);
  std::string_view stem = last_component(reference);
  if (stem.ends_with(kSuffix)) stem.remove_suffix(kSuffix.size());
  // "2025-12-09T00-53-29-825Z_ffae836b-…": the time has no underscore in it.
  const std::size_t underscore = stem.find('_');
  if (underscore != std::string_view::npos) stem.remove_prefix(underscore + 1);
  return std::string(stem);
}

}  // namespace weft::formats::pi

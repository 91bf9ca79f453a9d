// GET /api/suggest: sessions, projects and tools whose names begin with or contain what was typed.
#include <algorithm>
#include <set>

#include "weft/base/ascii.hpp"
#include "weft/base/try.hpp"
#include "weft/page/forks.hpp"
#include "weft/page/route.hpp"
#include "weft/page/shapes.hpp"
#include "weft/query/questions.hpp"

namespace weft::page {
namespace {

constexpr std::size_t kMostNames = 8;

bool begins_with(std::string_view name, std::string_view typed) {
  return name.size() >= typed.size() &&
         std::ranges::equal(name.substr(0, typed.size()), typed,
                            [](char a, char b) { return to_lower(a) == to_lower(b); });
}

json::array beginning_with(const std::set<std::string>& names, std::string_view typed) {
  json::array found;
  for (const std::string& name : names) {
    if (begins_with(name, typed) && found.size() < kMostNames) found.emplace_back(name);
  }
  return found;
}

Result<json::object> suggest(const Asking& asking) {
  const std::string typed = mcp::text_in(asking.arguments, "q");
  WEFT_TRY_VALUE(auto listed, query::list(asking.library, {.title = typed, .limit = kMostNames}));
  WEFT_TRY(add_forks(asking.library, listed["conversations"].as_array()));
  WEFT_TRY_VALUE(const auto names, asking.names.read(asking.library, asking.stop));
  json::object answer{{"sessions", listed["conversations"]},
                      {"projects", beginning_with(names->projects, typed)},
                      {"tools", beginning_with(names->tools, typed)}};
  if (const json::value* notes = find_member(listed, "notes")) answer["notes"] = *notes;
  return answer;
}

}  // namespace

const Route& suggest_route() {
  static const std::string schema = object_shape(
      "Suggestions",
      R"("sessions": )" + array_of(conversation_shape("Conversation", std::string(kForkShape))) +
          R"(, "projects": {"type": "array", "items": {"type": "string"}},
  "tools": {"type": "array", "items": {"type": "string"}},
  "notes": {"type": "array", "items": {"type": "string"}})",
      R"("sessions", "projects", "tools")");
  static const Route route = {
      .path = "/api/suggest",
      .parameters = {{.name = "q", .is_required = true}},
      .output_schema = schema,
      .answer = suggest,
  };
  return route;
}

}  // namespace weft::page

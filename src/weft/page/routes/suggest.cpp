// GET /api/suggest: sessions, projects and tools whose names begin with or contain what was typed.
#include <algorithm>
#include <set>

#include "weft/base/ascii.hpp"
#include "weft/base/try.hpp"
#include "weft/page/route.hpp"
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
  WEFT_TRY_VALUE(const auto catalogue,
                 asking.library.web.catalogue(std::nullopt, asking.library.keyring));
  std::set<std::string> projects, tools;
  for (const store::CatalogueEntry& entry : catalogue.entries) {
    if (entry.known.facts.project) projects.insert(*entry.known.facts.project);
  }
  WEFT_TRY_VALUE(const auto counted, query::stats(asking.library, std::nullopt, {asking.stop}));
  if (const json::object* by_tool = find_object(counted, "by_tool")) {
    for (const auto& tool : *by_tool) tools.emplace(tool.key());
  }
  json::object answer{{"sessions", listed["conversations"]},
                      {"projects", beginning_with(projects, typed)},
                      {"tools", beginning_with(tools, typed)}};
  if (const json::value* notes = find_member(listed, "notes")) answer["notes"] = *notes;
  return answer;
}

}  // namespace

const Route& suggest_route() {
  static const Route route = {
      .path = "/api/suggest",
      .parameters = {{.name = "q", .is_required = true}},
      .output_schema = R"({"type": "object", "properties": {
  "sessions": {"type": "array", "items": {"type": "object", "properties": {
    "cid": {"type": "string"}, "title": {"type": ["string", "null"]},
    "project": {"type": ["string", "null"]}, "format": {"type": "string"},
    "updated_at": {"type": "integer"}}, "required": ["cid", "format", "updated_at"]}},
  "projects": {"type": "array", "items": {"type": "string"}},
  "tools": {"type": "array", "items": {"type": "string"}},
  "notes": {"type": "array", "items": {"type": "string"}}},
  "required": ["sessions", "projects", "tools"]})",
      .answer = suggest,
  };
  return route;
}

}  // namespace weft::page

#include "weft/thought/facts.hpp"

namespace weft::thought {
namespace {

using transcript::Facts;
using transcript::Usage;

struct TextMember {
  std::string_view name;
  std::optional<std::string> Facts::* member;
};
constexpr TextMember kTexts[] = {
    {"title", &Facts::title}, {"summary", &Facts::summary},       {"project", &Facts::project},
    {"cwd", &Facts::cwd},     {"git_branch", &Facts::git_branch}, {"account", &Facts::account},
};

struct UsageMember {
  std::string_view name;
  std::int64_t Usage::* member;
};
constexpr UsageMember kUsage[] = {{"input", &Usage::input},
                                  {"output", &Usage::output},
                                  {"cache_read", &Usage::cache_read},
                                  {"cache_write", &Usage::cache_write}};

}  // namespace

json::object to_content(const KnownFacts& known) {
  json::object content;
  for (const auto& [name, member] : kTexts) {
    if (const auto& text = known.facts.*member) content[name] = *text;
  }
  if (!known.models.empty())
    content["models"] = json::array(known.models.begin(), known.models.end());
  if (!known.facts.tools.empty()) {
    content["tools"] = json::array(known.facts.tools.begin(), known.facts.tools.end());
  }
  if (!known.facts.tool_definitions.empty()) {
    content["tool_definitions"] = known.facts.tool_definitions;
  }
  if (known.facts.usage) {
    json::object usage;
    for (const auto& [name, member] : kUsage) usage[name] = *known.facts.usage.*member;
    content["usage"] = std::move(usage);
  }
  if (known.facts.internal) content["internal"] = *known.facts.internal;
  if (known.facts.updated_at) content["updated_at"] = *known.facts.updated_at;
  return content;
}

KnownFacts parse_facts(const json::object& content) {
  KnownFacts known;
  for (const auto& [name, member] : kTexts) {
    if (const auto text = find_string(content, name)) known.facts.*member = std::string(*text);
  }
  const auto each_string = [&](std::string_view name, auto&& add) {
    const json::array* items = find_array(content, name);
    if (items == nullptr) return;
    for (const json::value& item : *items) {
      if (item.is_string()) add(std::string(view(item.get_string())));
    }
  };
  each_string("models", [&](std::string model) { known.models.insert(std::move(model)); });
  each_string("tools", [&](std::string tool) { known.facts.tools.push_back(std::move(tool)); });
  if (const json::array* tools = find_array(content, "tool_definitions")) {
    known.facts.tool_definitions = *tools;
  }
  if (const json::object* usage = find_object(content, "usage")) {
    known.facts.usage.emplace();
    for (const auto& [name, member] : kUsage) {
      *known.facts.usage.*member = find_int(*usage, name).value_or(0);
    }
  }
  known.facts.updated_at = find_int(content, "updated_at");
  if (find_bool(content, "internal")) known.facts.internal = find_bool(content, "internal");
  return known;
}

}  // namespace weft::thought

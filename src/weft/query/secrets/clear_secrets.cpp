#include "weft/query/secrets/clear_secrets.hpp"

#include <set>

#include "weft/secrets/secret.hpp"

namespace weft::query {
namespace {

void look_in(std::string_view text, std::set<std::string>& rules) {
  for (const secrets::Finding& found : secrets::find_secrets(text)) rules.emplace(found.rule->name);
}

void look(const json::value& value, std::set<std::string>& rules) {
  if (const json::string* text = value.if_string()) return look_in(view(*text), rules);
  if (const json::array* array = value.if_array()) {
    for (const json::value& element : *array) look(element, rules);
  } else if (const json::object* object = value.if_object()) {
    for (const json::key_value_pair& member : *object) {
      look_in(member.key(), rules);
      look(member.value(), rules);
    }
  }
}

}  // namespace

std::vector<std::string> secrets_in_clear(const thought::Thought& thought) {
  std::set<std::string> rules;
  look(json::value(thought.content), rules);
  for (const thought::ContentRef& ref : thought.because) {
    if (ref.anchor || ref.path) look(json::value(to_json(ref)), rules);
  }
  return {rules.begin(), rules.end()};
}

}  // namespace weft::query

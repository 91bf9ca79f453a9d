#include "weft/query/secrets/opened.hpp"

#include <set>
#include <string>

#include "weft/query/secrets/secret_mask.hpp"
#include "weft/store/tables/secret_list.hpp"
#include "weft/thought/seal.hpp"

namespace weft::query {

namespace {

// By name, each once.
std::set<std::string> rules_in(const json::object& content) {
  std::set<std::string> rules;
  store::each_secret(content, "", secrets::Tier::sure, [&rules](const store::FoundSecret& found) {
    rules.emplace(found.finding.rule->name);
  });
  return rules;
}

}  // namespace

json::object open_json(const Library& library, const thought::Thought& thought) {
  json::object opened = thought::to_open_json(thought, library.keyring);
  if (library.mask == nullptr) return opened;
  json::object& content = opened.at("content").get_object();
  const std::set<std::string> rules = rules_in(content);
  if (rules.empty()) return opened;
  library.mask->mask(content);
  json::array& masked = opened["masked"].emplace_array();
  for (const std::string& rule : rules) masked.emplace_back(rule);
  return opened;
}

json::object open_content(const Library& library, const thought::Thought& thought) {
  json::object content = thought::open_content(thought, library.keyring);
  if (library.mask != nullptr) library.mask->mask(content);
  return content;
}

}  // namespace weft::query

#include "weft/query/search/search_types.hpp"

#include "weft/base/ascii.hpp"
#include "weft/base/typed/suggest.hpp"
#include "weft/store/searchable.hpp"

namespace weft::query {

std::string fault_of_type(std::string_view type) {
  if (store::is_searched(type)) return {};
  const std::vector<std::string_view> kinds = store::searched_kinds();
  const std::string typed = to_lower(thought::kind_of(type));
  if (const auto kind = nearest(typed, kinds)) {
    const std::string_view family = type.substr(0, type.size() - typed.size());
    return "no such type; did you mean " + std::string(family) + std::string(*kind) + "?";
  }
  std::string all;
  for (const std::string_view kind : kinds) all += (all.empty() ? "" : ", ") + std::string(kind);
  return "no such type; the types are " + all + ".";
}

void drop_unknown_types(search::Query& query) {
  std::erase_if(query.filters.types, [&](const std::string& type) {
    const std::string fault = fault_of_type(type);
    if (!fault.empty()) {
      query.notes.push_back("type:" + type + ": " + fault + " The filter was left out.");
    }
    return !fault.empty();
  });
}

}  // namespace weft::query

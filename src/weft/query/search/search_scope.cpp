#include "weft/query/search/search_scope.hpp"

#include <algorithm>
#include <set>

#include "weft/base/ascii.hpp"
#include "weft/base/try.hpp"
#include "weft/query/ask/facts.hpp"
#include "weft/query/search/search_types.hpp"

namespace weft::query {
namespace {

constexpr std::size_t kMinPrefix = 8;
constexpr std::size_t kAllDigits = 64;

// "looms" for "~/work/looms/".
std::string_view last_part(std::string_view path) {
  const std::size_t end = path.find_last_not_of("/\\");
  if (end == std::string_view::npos) return {};
  path = path.substr(0, end + 1);
  return path.substr(path.find_last_of("/\\") + 1);
}

bool is_bare(std::string_view type) { return type.find('/') == std::string_view::npos; }

// Narrows `filter`, in which empty means any, to what `options` contains too. False if nothing is
// left.
bool narrow(std::vector<std::string>& filter, const std::vector<std::string>& options,
            std::vector<std::string> (*common)(const std::vector<std::string>&,
                                               const std::vector<std::string>&)) {
  if (options.empty()) return true;
  if (filter.empty()) {
    filter = options;
    return true;
  }
  filter = common(filter, options);
  return !filter.empty();
}

std::vector<std::string> common_words(const std::vector<std::string>& some,
                                      const std::vector<std::string>& others) {
  std::vector<std::string> common;
  std::ranges::copy_if(some, std::back_inserter(common), [&](const std::string& word) {
    return std::ranges::find(others, word) != others.end();
  });
  return common;
}

template <class Names, class IsCalled>
bool passes(const Names& names, const IsCalled& is_called) {
  return names.empty() || std::ranges::any_of(names, is_called);
}

// The conversations that match the names of projects and sessions.
Status choose_conversations(const Library& library, const SearchOptions& options,
                            SearchScope& scope) {
  const search::Filters& typed = scope.query.filters;
  const bool by_project = !typed.projects.empty() || !options.projects.empty();
  if (!by_project && typed.sessions.empty()) {
    if (options.conversation) scope.conversations = {options.conversation->cid};
    return {};
  }
  std::vector<store::ConversationRow> rows;
  if (options.conversation) {
    rows.push_back(*options.conversation);
  } else {
    WEFT_TRY_VALUE(auto all, library.web.conversations({}));
    rows = std::move(all);
  }
  std::vector<Cid>& chosen = scope.conversations.emplace();
  for (const store::ConversationRow& row : rows) {
    const auto is_session = [&](const std::string& name) { return is_called_session(row, name); };
    if (!passes(typed.sessions, is_session)) continue;
    if (by_project) {
      const ReadFacts facts = read_facts(library, row);
      scope.has_sealed_projects = scope.has_sealed_projects || facts.is_sealed;
      const auto is_project = [&](const std::string& name) {
        return is_called_project(facts.known.facts, name);
      };
      if (!passes(typed.projects, is_project) || !passes(options.projects, is_project)) continue;
    }
    chosen.push_back(row.cid);
  }
  scope.is_empty = chosen.empty();
  return {};
}

}  // namespace

std::vector<std::string> common_types(const std::vector<std::string>& some,
                                      const std::vector<std::string>& others) {
  std::set<std::string> common;
  for (const std::string& a : some) {
    for (const std::string& b : others) {
      if (a == b || (is_bare(b) && thought::kind_of(a) == b)) common.insert(a);
      if (is_bare(a) && thought::kind_of(b) == a) common.insert(b);
    }
  }
  return {common.begin(), common.end()};
}

bool is_called_project(const transcript::Facts& facts, std::string_view name) {
  if (name.empty()) return false;
  if (facts.project && (equals_ignoring_case(*facts.project, name) ||
                        equals_ignoring_case(last_part(*facts.project), name))) {
    return true;
  }
  return facts.cwd && equals_ignoring_case(last_part(*facts.cwd), name);
}

bool is_called_session(const store::ConversationRow& conversation, std::string_view name) {
  const auto is_id = [&](std::string_view id) {
    return conversation.session_id == id ||
           (id.size() >= kMinPrefix && conversation.session_id.starts_with(id));
  };
  if (is_id(name)) return true;
  const std::string prefix = conversation.format + ":";
  if (name.starts_with(prefix) && is_id(name.substr(prefix.size()))) return true;
  if (name.starts_with(Cid::kPrefix)) name.remove_prefix(Cid::kPrefix.size());
  return name.size() >= kMinPrefix && conversation.cid.brief(kAllDigits).starts_with(name);
}

Result<SearchScope> scope_of(const Library& library, const SearchOptions& options) {
  SearchScope scope{.query = search::parse_query(options.query, options.clock)};
  drop_unknown_types(scope.query);
  search::Filters& filters = scope.query.filters;
  if (!narrow(filters.types, options.types, common_types) ||
      !narrow(filters.roles, options.roles, common_words)) {
    scope.is_empty = true;
    return scope;
  }
  if (options.since)
    filters.since = std::max(*options.since, filters.since.value_or(*options.since));
  if (options.until)
    filters.until = std::min(*options.until, filters.until.value_or(*options.until));
  WEFT_TRY(choose_conversations(library, options, scope));
  return scope;
}

}  // namespace weft::query

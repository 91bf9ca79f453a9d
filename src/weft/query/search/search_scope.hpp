// The scope of a search: the filters in the query text and in the options combined. Both must hold.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/query/questions.hpp"
#include "weft/search/query.hpp"
#include "weft/thought/facts.hpp"

namespace weft::query {

struct SearchScope {
  search::Query query{};  // with every filter that the store applies
  // The conversations of the named projects and sessions; empty: any.
  std::optional<std::vector<Cid>> conversations{};
  // The filters exclude everything: there is nothing to search.
  bool is_empty = false;
  // A project was named, and the keyring does not open the project of some conversations.
  bool has_sealed_projects = false;
};
Result<SearchScope> scope_of(const Library& library, const SearchOptions& options);

// The types that pass both lists, each of full types or bare kinds. Empty: none does.
//   {"thinking"}, {"anthropic/thinking", "response"} {"anthropic/thinking"}
std::vector<std::string> common_types(const std::vector<std::string>& some,
                                      const std::vector<std::string>& others);

// Whether this names the conversation's project: its name, the last part of it if it is a path, or
// the name of the conversation's folder. Ignores case.
bool is_called_project(const transcript::Facts& facts, std::string_view name);

// Whether this names the conversation: its session id or at least 8 characters of its beginning,
// also as format:id; its CID or at least 8 digits of it.
bool is_called_session(const store::ConversationRow& conversation, std::string_view name);

}  // namespace weft::query

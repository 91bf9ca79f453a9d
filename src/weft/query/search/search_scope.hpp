// Where a search looks: what was typed and what the options say, made one. Both must hold.
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
  search::Query query{};  // with every filter that is left to the store
  // Where projects, sessions or a conversation are named: those. Else anywhere.
  std::optional<std::vector<Cid>> conversations{};
  // The filters leave nothing: there is no need to look.
  bool is_empty = false;
  // A project was asked for, and of some conversations the keys do not tell which is theirs.
  bool has_sealed_projects = false;
};
Result<SearchScope> scope_of(const Library& library, const SearchOptions& options);

// The types that pass both lists, each of full types or bare kinds. Empty: none does.
//   {"thinking"}, {"anthropic/thinking", "response"}   {"anthropic/thinking"}
std::vector<std::string> common_types(const std::vector<std::string>& some,
                                      const std::vector<std::string>& others);

// Whether this is a name of the conversation's project: its own, the last part of that where it is
// a path, or the folder's that the conversation took place in. Case does not matter.
bool is_called_project(const transcript::Facts& facts, std::string_view name);

// Whether this names the conversation: its session id or 8 characters or more of its beginning,
// also as format:id; its CID or 8 digits or more of it.
bool is_called_session(const store::ConversationRow& conversation, std::string_view name);

}  // namespace weft::query

// WorkingDirectories: in which folders conversations took place, for paths that calls name relative
// to them. For one answer: each conversation is read once.
#pragma once

#include <string>
#include <unordered_map>

#include "weft/query/ask/facts.hpp"

namespace weft::query {

class WorkingDirectories {
 public:
  explicit WorkingDirectories(const Library& library) : library_(library) {}

  // Empty if it is not known. Valid as long as this object.
  const std::string& of(const Cid& conversation) {
    const auto [found, is_new] = known_.try_emplace(conversation);
    if (is_new) {
      const Result<store::ConversationRow> row = library_.web.conversation(conversation);
      if (row) found->second = read_facts(library_, *row).known.facts.cwd.value_or("");
    }
    return found->second;
  }

 private:
  const Library& library_;
  std::unordered_map<Cid, std::string> known_;
};

}  // namespace weft::query

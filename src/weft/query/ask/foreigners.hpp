// Foreigners: tells whose thoughts are not the reader's own, so that answers can mark them. Looks
// up each identity once: use one for one answer.
//
// | keyring | foreign is |
// |---|---|
// | the owner's | every identity but the owner and those whose keys the keyring derives |
// | an exported one | structure by others than the owner, and words by identities with a key of
// their
//   own, or that stand only in conversations of others: custodial keys cannot be derived |
// | none | nothing: nobody's key is pinned |
//
// Whose structure counts in a conversation is another question, which needs no keyring (turns.hpp).
#pragma once

#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "weft/query/library.hpp"
#include "weft/thought/verify.hpp"

namespace weft::query {

class Foreigners {
 public:
  // What the library points to outlives it.
  explicit Foreigners(const Library& library) : library_(library), witnesses_(library.keyring) {}

  // Whether somebody else than the owner made structure: a conversation, a turn, a connection.
  bool is_foreign_creator(const Cid& identity);
  // `otherwise` is the answer for words of which nobody says whose they are: an exported keyring
  // does not know their author, and they stand in no conversation.
  bool is_foreign(const thought::Thought& thought, bool otherwise = false);

  // Adds `foreign: true` to the JSON of a thought that is.
  void mark(const thought::Thought& thought, json::object& shown, bool otherwise = false);

  // Keeps the conversations of the owner, if there are any among them: a stranger's may have the
  // same name, or hold the same blocks. Without a keyring, those that were woven here.
  void prefer_own(std::vector<store::ConversationRow>& rows);

 private:
  // What an identity is to the keyring, and whether it has a key of its own.
  struct Judged {
    thought::Verdict verdict;
    bool has_own_key;
  };
  const Judged& judge(const Cid& identity);
  // Whether it stands in a conversation of the owner; empty if it stands in none at all.
  std::optional<bool> is_placed_by_owner(const Cid& thought);

  Library library_;
  thought::Witnesses witnesses_;
  std::unordered_map<Cid, Judged> judged_;
  std::unordered_set<Cid> heard_;  // identities with words in a conversation of the owner
};

inline constexpr std::string_view kForeign = "foreign";  // the member of answers

}  // namespace weft::query

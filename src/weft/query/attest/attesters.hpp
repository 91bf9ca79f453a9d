// Attesters: whose attestations count for a reader. Looks up each identity once: use one for one
// answer.
#pragma once

#include <string>
#include <unordered_map>

#include "weft/query/library.hpp"
#include "weft/thought/thought.hpp"

namespace weft::query {

class Attesters {
 public:
  // What the library points to outlives it.
  explicit Attesters(const Library& library) : library_(library) {}

  // What to call somebody whose attestations count, the owner of the keyring or an owner whom it
  // trusts; empty for everybody else. Without a keyring nobody's count.
  const std::string& name_of(const Cid& identity);

 private:
  std::string find_name(const Cid& identity) const;

  Library library_;
  std::unordered_map<Cid, std::string> names_;
};

}  // namespace weft::query

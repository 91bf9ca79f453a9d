// What is not here because it was forgotten, as its owner signed, and not because it was lost.
#pragma once

#include <map>
#include <optional>

#include "weft/query/library.hpp"
#include "weft/thought/tombstone.hpp"
#include "weft/thought/verify.hpp"

namespace weft::query {

// For one thread at a time.
class Tombstones {
 public:
  // `library` outlives it.
  explicit Tombstones(const Library& library) : library_(library) {}

  // Whether a tombstone that holds speaks for this thought. With a keyring it is the owner's;
  // a stranger's speaks only for what the stranger's own thoughts lead to. Without one, any
  // that is well signed.
  bool list(const Cid& cid);

 private:
  struct Judged {
    thought::Tombstone tombstone;
    thought::Verdict verdict;
    Cid creator;
  };
  const std::optional<Judged>& judge(const Cid& tombstone);
  bool speaks_alone_of(const Cid& cid, const Cid& creator) const;

  const Library& library_;
  std::map<Cid, std::optional<Judged>> judged_;  // empty for one that does not hold
};

}  // namespace weft::query

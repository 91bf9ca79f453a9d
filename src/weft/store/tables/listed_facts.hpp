// ListedFacts: what lists show of a conversation, as far as one portion of its thoughts states it
// (block_tally.hpp), and its packed form.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "weft/base/result.hpp"
#include "weft/thought/facts.hpp"

namespace weft::store {

struct ListedFacts {
  thought::KnownFacts known{};          // without tools and account
  std::optional<std::string> prompt{};  // the person's first words, where there is no title

  friend bool operator==(const ListedFacts& a, const ListedFacts& b) {
    return a.known.facts == b.known.facts && a.known.models == b.known.models &&
           a.prompt == b.prompt;
  }
};

// Of facts, what lists show.
ListedFacts listed(thought::KnownFacts known);

// As stored (docs/formats/store.md, "Late tables"); empty where there is nothing to say. Equal
// facts give equal bytes.
std::string pack(const ListedFacts& facts);
// Adds to `facts` what the bytes state; what they do not state stays. corrupt if they cannot be
// read.
Status unpack_listed(std::string_view bytes, ListedFacts& facts);
// The totals of tokens alone.
Result<std::optional<transcript::Usage>> unpack_listed_usage(std::string_view bytes);

}  // namespace weft::store

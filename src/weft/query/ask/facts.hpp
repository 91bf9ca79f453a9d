// What is known of a conversation, and what it is called, as far as the keys at hand tell.
#pragma once

#include <optional>
#include <string>

#include "weft/query/library.hpp"
#include "weft/thought/facts.hpp"

namespace weft::query {

struct ReadFacts {
  thought::KnownFacts known{};
  bool is_sealed = false;  // there are some that the keys do not open
};
// The newest ones. None where there are none, or where they cannot be read.
ReadFacts read_facts(const Library& library, const store::ConversationRow& conversation);

// Its title; without one of its own, the first words that a person says in it.
std::optional<std::string> title_of(const Library& library, const Cid& conversation,
                                    const thought::KnownFacts& known);

// The text, or null.
json::value text_or_null(const std::optional<std::string>& text);

}  // namespace weft::query

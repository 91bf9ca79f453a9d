// The facts and the title of a conversation, as far as the keyring opens them.
#pragma once

#include <optional>
#include <string>

#include "weft/query/library.hpp"
#include "weft/thought/facts.hpp"

namespace weft::query {

struct ReadFacts {
  thought::KnownFacts known{};
  bool is_sealed = false;  // some facts exist that the keyring does not open
};
// The newest facts, with the summary that stands in another conversation. Empty if there are none,
// or if they cannot be read.
ReadFacts read_facts(const Library& library, const store::ConversationRow& conversation);

// A conversation without a summary of its own takes the newest one that `summarizes` it, and its
// title, too, unless it has a better one than its first words.
void add_summary(const Library& library, const store::ConversationRow& conversation,
                 transcript::Facts& facts);

// Its title; otherwise the first words of the person's first message.
std::optional<std::string> title_of(const Library& library, const Cid& conversation,
                                    const thought::KnownFacts& known);

// The same of a row of the catalogue.
std::optional<std::string> title_of(const store::CatalogueEntry& entry);

// The text, or null.
json::value text_or_null(const std::optional<std::string>& text);

}  // namespace weft::query

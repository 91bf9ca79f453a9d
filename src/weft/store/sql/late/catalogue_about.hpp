// About: a row of the catalogue, what it says of a conversation, computed from the thoughts.
#pragma once

#include <algorithm>
#include <array>
#include <optional>

#include "weft/store/sql/late/late_table.hpp"
#include "weft/store/sql/late/sealed_columns.hpp"
#include "weft/store/tables/listed_facts.hpp"

namespace weft::store::sql {

// What a row says, each fact in the portion that says it.
struct About {
  Cid cid{};       // of the conversation
  Id creator = 0;  // 0 if its own thought is not stored
  std::optional<Id> parent{};
  std::array<ListedFacts, kPortions> portions{};

  bool has_title() const {
    return std::ranges::any_of(portions, [](const auto& in) { return !!in.known.facts.title; });
  }
  bool has_prompt() const {
    return std::ranges::any_of(portions, [](const auto& in) { return !!in.prompt; });
  }
  bool has_summary() const {
    return std::ranges::any_of(portions, [](const auto& in) { return !!in.known.facts.summary; });
  }
  void erase_title() {
    for (ListedFacts& in : portions) in.known.facts.title.reset();
  }
  void erase_prompt() {
    for (ListedFacts& in : portions) in.prompt.reset();
  }
  friend bool operator==(const About&, const About&) = default;
};

// The whole row.
Result<About> compute_about(LateContext& with, Id conversation);
// What names a row: the CID of the conversation, and its creator.
Status name_about(const LateContext& with, Id conversation, std::optional<Id> creator,
                  About& about);

// --- its parts, for what a commit changes ------------------------------------------------------

// What lists show of the facts; earlier ones are replaced.
void put_facts(About& about, const LateContext& with, const thought::Thought& facts);
// Whether a thought is what a person said.
Result<bool> is_prompt(const LateContext& with, Id thought);
// The first line of the person's first message, if there is no title.
Status find_prompt(LateContext& with, Id conversation, Id creator, About& about);
// The same of a conversation that came with this addition, from the addition itself. False if some
// of it was stored before: then the tables know.
bool find_new_prompt(const LateContext& with, const LateAddition& addition, Id contains,
                     std::optional<Id> supersedes, About& about);
// The newest summary that stands in another conversation, if the facts have none. It is the title,
// too, unless there is a better one than the first words.
Status find_summary(LateContext& with, Id conversation, Id creator, About& about);
// The conversation whose call spawned it.
Result<std::optional<Id>> find_parent(LateContext& with, Id conversation, Id creator);

}  // namespace weft::store::sql

// About: a row of the catalogue, what it says of a conversation, computed from the thoughts.
#pragma once

#include <algorithm>
#include <array>
#include <optional>

#include "weft/store/sqlite/late/late_table.hpp"
#include "weft/store/sqlite/late/sealed_columns.hpp"

namespace weft::store::sql {

inline constexpr std::string_view kPrompt = "prompt";  // the first words, where there is no title

// What a row says, each member in the portion that says it.
struct About {
  std::array<json::object, kPortions> members{};
  std::optional<Id> parent{};

  json::object& in(Portion portion) { return members[static_cast<std::size_t>(portion)]; }
  bool has(std::string_view name) const {
    return std::ranges::any_of(
        members, [&](const json::object& object) { return find_member(object, name) != nullptr; });
  }
  std::optional<std::string_view> text(std::string_view name) const {
    for (const json::object& object : members) {
      if (const auto found = find_string(object, name)) return found;
    }
    return std::nullopt;
  }
  void erase(std::string_view name) {
    for (json::object& object : members) object.erase(name);
  }
  friend bool operator==(const About&, const About&) = default;
};

// The whole row.
Result<About> compute_about(LateContext& with, Id conversation);

// --- its parts, for what a commit changes ------------------------------------------------------

// The members of the facts that lists show; earlier ones are replaced.
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

// The members of an object in JSON; none if it is not one.
json::object parse_members(std::string_view text);

}  // namespace weft::store::sql

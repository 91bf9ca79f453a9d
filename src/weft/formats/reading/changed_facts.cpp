#include "weft/formats/reading/changed_facts.hpp"

#include <bit>
#include <utility>

#include "weft/transcript/state.hpp"

namespace weft::formats {

using transcript::Facts;
using transcript::Usage;

Usage add_wrapping(const Usage& sum, const Usage& more) {
  Usage total;
  for (const auto field :
       {&Usage::input, &Usage::output, &Usage::cache_read, &Usage::cache_write}) {
    total.*field = std::bit_cast<std::int64_t>(std::bit_cast<std::uint64_t>(sum.*field) +
                                               std::bit_cast<std::uint64_t>(more.*field));
  }
  return total;
}

// Remembers the text.
bool ChangedFacts::is_changed(std::uint64_t& last, const std::optional<std::string>& text) const {
  if (!text) return false;
  const std::uint64_t hash = hash_(*text);
  return std::exchange(last, hash) != hash;
}

bool ChangedFacts::note(const Facts& facts, transcript::Sink& sink) {
  Facts news;
  for (std::size_t i = 0; i < texts_.size(); ++i) {
    const auto fact = texts_[i].fact;
    if (is_changed(hashes_[i], facts.*fact)) news.*fact = facts.*fact;
  }
  if (!facts.tools.empty()) {
    std::string all;
    for (const std::string& tool : facts.tools) all += tool + "\n";
    if (!facts.tool_definitions.empty()) all += canonical_json(facts.tool_definitions);
    if (is_changed(tools_, all)) {
      news.tools = facts.tools;
      news.tool_definitions = facts.tool_definitions;
    }
  }
  if (facts.usage && facts.usage != usage_) news.usage = usage_ = facts.usage;
  if (facts.updated_at && (!updated_at_ || *facts.updated_at > *updated_at_)) {
    news.updated_at = updated_at_ = facts.updated_at;
  }
  if (facts.internal && !std::exchange(is_internal_, true)) news.internal = true;
  if (news == Facts()) return false;
  sink.facts(news);
  return true;
}

void ChangedFacts::archive(StateArchive& a) {
  for (std::size_t i = 0; i < texts_.size(); ++i) a.field(texts_[i].key, StateBits{hashes_[i]});
  a.field("tools", StateBits{tools_});
  a.optional("usage", usage_);
  a.optional("updated_at", updated_at_);
  a.sparse("internal", is_internal_);
}

}  // namespace weft::formats

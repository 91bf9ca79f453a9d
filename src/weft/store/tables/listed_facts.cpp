#include "weft/store/tables/listed_facts.hpp"

#include <array>
#include <utility>

#include "weft/base/try.hpp"
#include "weft/store/tables/unpacker.hpp"

namespace weft::store {
namespace {

using sql::append_varint;
using transcript::Facts;
using transcript::Usage;

// The first number has a bit for each value that follows, in this order. On disk.
enum ListedBit : std::uint64_t {
  kUsage = 1,
  kUpdatedAt = 2,
  kModels = 4,
  kInternal = 8,  // the bit is the value
  kPrompt = 16,
  kTexts = 32,  // the first of five
};
constexpr std::array kListedTexts = {&Facts::title, &Facts::summary, &Facts::project, &Facts::cwd,
                                     &Facts::git_branch};
constexpr std::array kUsageKinds = {&Usage::input, &Usage::output, &Usage::cache_read,
                                    &Usage::cache_write};

std::uint64_t text_bit(std::size_t number) { return kTexts << number; }

std::uint64_t bits_of(const ListedFacts& facts) {
  const Facts& known = facts.known.facts;
  std::uint64_t bits = 0;
  if (known.usage) bits |= kUsage;
  if (known.updated_at) bits |= kUpdatedAt;
  if (!facts.known.models.empty()) bits |= kModels;
  if (known.internal.value_or(false)) bits |= kInternal;
  if (facts.prompt) bits |= kPrompt;
  for (std::size_t i = 0; i < kListedTexts.size(); ++i) {
    if (known.*kListedTexts[i]) bits |= text_bit(i);
  }
  return bits;
}

void append_text(std::string& out, std::string_view text) {
  append_varint(out, text.size());
  out += text;
}

Usage take_usage(Unpacker& in) {
  Usage usage;
  for (const auto kind : kUsageKinds) usage.*kind = in.take_signed();
  return usage;
}

}  // namespace

ListedFacts listed(thought::KnownFacts known) {
  Facts& facts = known.facts;
  facts.account.reset();
  facts.tools.clear();
  facts.tool_definitions.clear();
  if (!facts.internal.value_or(false)) facts.internal.reset();
  return {.known = std::move(known)};
}

std::string pack(const ListedFacts& facts) {
  std::string out;
  const std::uint64_t bits = bits_of(facts);
  if (bits == 0) return out;
  append_varint(out, bits);
  const Facts& known = facts.known.facts;
  if (known.usage) {
    for (const auto kind : kUsageKinds) append_signed(out, *known.usage.*kind);
  }
  if (known.updated_at) append_signed(out, *known.updated_at);
  if (!facts.known.models.empty()) {
    append_varint(out, facts.known.models.size());
    for (const std::string& model : facts.known.models) append_text(out, model);
  }
  if (facts.prompt) append_text(out, *facts.prompt);
  for (const auto text : kListedTexts) {
    if (known.*text) append_text(out, *(known.*text));
  }
  return out;
}

Status unpack_listed(std::string_view bytes, ListedFacts& facts) {
  if (bytes.empty()) return {};
  Unpacker in(bytes);
  const std::uint64_t bits = in.take();
  Facts& known = facts.known.facts;
  if ((bits & kUsage) != 0) known.usage = take_usage(in);
  if ((bits & kUpdatedAt) != 0) known.updated_at = in.take_signed();
  if ((bits & kModels) != 0) {
    facts.known.models.clear();
    for (std::uint64_t left = in.take(); left > 0 && !in.is_at_end(); --left) {
      facts.known.models.emplace_hint(facts.known.models.end(), in.take_text());
    }
  }
  if ((bits & kInternal) != 0) known.internal = true;
  if ((bits & kPrompt) != 0) facts.prompt.emplace(in.take_text());
  for (std::size_t i = 0; i < kListedTexts.size(); ++i) {
    if ((bits & text_bit(i)) != 0) (known.*kListedTexts[i]).emplace(in.take_text());
  }
  return in.status();
}

Result<std::optional<Usage>> unpack_listed_usage(std::string_view bytes) {
  std::optional<Usage> usage;
  if (bytes.empty()) return usage;
  Unpacker in(bytes);
  if ((in.take() & kUsage) != 0) usage = take_usage(in);
  return usage;
}

}  // namespace weft::store

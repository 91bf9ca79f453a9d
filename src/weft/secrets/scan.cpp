// The scan. Every secret begins with, or stands beside, two characters that are rare in other text:
// a table of 65,536 bytes says which pairs are worth a look, at one look-up for each byte.
#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <unordered_map>

#include "weft/secrets/context.hpp"
#include "weft/secrets/pattern.hpp"
#include "weft/secrets/placeholder.hpp"
#include "weft/secrets/secret.hpp"
#include "weft/secrets/shapes.hpp"

namespace weft::secrets {
namespace {

// Two characters as they lie in memory.
using Pair = std::uint16_t;
Pair pair_at(const char* text) {
  Pair pair = 0;
  std::memcpy(&pair, text, sizeof pair);
  return pair;
}
Pair pair_of(char first, char second) {
  const char both[] = {first, second};
  return pair_at(both);
}

// What a pair is worth.
constexpr std::uint8_t kSure = 1, kLikely = 2;  // a look, for this tier
constexpr std::uint8_t kWithin = 4;             // also in the middle of a word

// A token begins where a word does.
bool begins_word(std::string_view text, std::size_t at) {
  return at == 0 || !is_in_class(text[at - 1], 'w') || ends_with_escape(text.substr(0, at));
}

class Scanner {
 public:
  Scanner() {
    for (const Shape& shape : all_shapes()) {
      Compiled compiled{.shape = &shape, .pattern = Pattern(shape.pattern)};
      if (!shape.before.empty()) compiled.before.emplace(shape.before);
      const std::string_view literal = compiled.pattern.literal();
      const Pair pair = pair_of(literal[0], literal[1]);
      mark(pair, kSure | kLikely | (shape.before.empty() ? 0 : kWithin));
      shapes_[pair].push_back(std::move(compiled));
    }
    for (const Pair pair : {pair_of('-', '-'), pair_of(':', '/')}) {
      mark(pair, kSure | kLikely | kWithin);
    }
    for (int c = 0; c < 256; ++c) {
      for (const char sign : {'=', ':'}) {
        mark(pair_of(sign, static_cast<char>(c)), kLikely | kWithin);
      }
    }
  }

  std::vector<Finding> scan(std::string_view text, Tier least) const {
    std::vector<Finding> findings;
    const std::uint8_t tier = least == Tier::sure ? kSure : kLikely;
    for (std::size_t at = next(text, 0, tier); at + 1 < text.size();
         at = next(text, at + 1, tier)) {
      if (!(worth_[pair_at(&text[at])] & kWithin) && !begins_word(text, at)) continue;
      const std::optional<Finding> found = find(text, at, least);
      if (!found || found->rule->tier > least) continue;
      if (!findings.empty() && found->offset < findings.back().offset + findings.back().length)
        continue;
      findings.push_back(*found);
      at = std::max(at, found->offset + found->length - 1);
    }
    return findings;
  }

 private:
  struct Compiled {
    const Shape* shape;
    Pattern pattern;
    std::optional<Pattern> before{};
  };

  void mark(Pair pair, int worth) {
    worth_[pair] = static_cast<std::uint8_t>(worth_[pair] | worth);
  }

  // The first pair from `at` on that is worth a look; behind all pairs if there is none.
  std::size_t next(std::string_view text, std::size_t at, std::uint8_t tier) const {
    const std::size_t end = text.empty() ? 0 : text.size() - 1;
    // This loop is nearly all of the scan: eight look-ups for one decision.
    constexpr std::size_t kAtOnce = 8;
    for (; at + kAtOnce <= end; at += kAtOnce) {
      std::uint8_t any = 0;
      for (std::size_t i = 0; i < kAtOnce; ++i) any |= worth_[pair_at(&text[at + i])];
      if (any & tier) break;
    }
    while (at < end && !(worth_[pair_at(&text[at])] & tier)) ++at;
    return at;
  }

  std::optional<Finding> find(std::string_view text, std::size_t at, Tier least) const {
    if (const auto shapes = shapes_.find(pair_at(&text[at])); shapes != shapes_.end()) {
      std::optional<Finding> longest;
      for (const Compiled& one : shapes->second) {
        const std::optional<Finding> found = match(one, text, at);
        if (found && (!longest || found->length > longest->length)) longest = found;
      }
      if (longest) return longest;
    }
    if (text[at] == '-') return find_private_key(text, at);
    if (text.substr(at, 3) == "://") return find_url_password(text, at);
    if (least == Tier::likely && (text[at] == '=' || text[at] == ':'))
      return find_assigned(text, at);
    return std::nullopt;
  }

  // Precondition: a word begins here, unless the shape has something before it.
  static std::optional<Finding> match(const Compiled& one, std::string_view text, std::size_t at) {
    std::size_t before = 0;
    if (one.before) {
      const auto count = one.before->match_before(text.substr(0, at));
      if (!count) return std::nullopt;
      before = *count;
    }
    const auto length = one.pattern.match(text.substr(at));
    if (!length) return std::nullopt;
    const std::string_view token = text.substr(at - before, before + *length);
    const Shape& shape = *one.shape;
    if (shape.check != nullptr && !shape.check(token)) return std::nullopt;
    const std::string_view random = token.substr(one.before ? 0 : one.pattern.literal().size());
    if (!shape.has_checksum && is_placeholder(random)) return std::nullopt;
    return Finding{.offset = at - before, .length = token.size(), .rule = &shape.rule};
  }

  std::array<std::uint8_t, 65536> worth_{};  // by pair
  std::unordered_map<Pair, std::vector<Compiled>> shapes_;
};

const Scanner& scanner() {
  static const Scanner scanner;
  return scanner;
}

}  // namespace

std::vector<Finding> find_secrets(std::string_view text, Tier least) {
  return scanner().scan(text, least);
}

std::vector<Rule> all_rules() {
  std::vector<Rule> rules = {kPrivateKey, kDatabasePassword, kUrlPassword, kAssigned};
  for (const Shape& shape : all_shapes()) rules.push_back(shape.rule);
  std::ranges::sort(rules, {}, &Rule::name);
  const auto again = std::ranges::unique(rules, {}, &Rule::name);
  rules.erase(again.begin(), again.end());
  return rules;
}

std::string masked(std::string_view text, std::span<const Finding> findings,
                   const NameOf& name_of) {
  std::string out;
  std::size_t at = 0;
  for (const Finding& found : findings) {
    out += text.substr(at, found.offset - at);
    out += "[secret ";
    out += found.rule->name;
    out += " #" + name_of(text.substr(found.offset, found.length)) + "]";
    at = found.offset + found.length;
  }
  out += text.substr(at);
  return out;
}

}  // namespace weft::secrets

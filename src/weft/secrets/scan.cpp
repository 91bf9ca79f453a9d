// The scan. Every secret begins with, or stands beside, two characters that are rare in other text:
// a table of 65,536 bits says which pairs are worth a look, at one look-up for each byte.
#include <algorithm>
#include <bitset>
#include <memory>
#include <optional>

#include "weft/secrets/context.hpp"
#include "weft/secrets/pattern.hpp"
#include "weft/secrets/placeholder.hpp"
#include "weft/secrets/secret.hpp"
#include "weft/secrets/shapes.hpp"

namespace weft::secrets {
namespace {

constexpr std::size_t pair_of(char first, char second) {
  return static_cast<std::size_t>(static_cast<unsigned char>(first)) << 8 |
         static_cast<unsigned char>(second);
}

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
      const std::size_t pair = pair_of(literal[0], literal[1]);
      sure_.set(pair);
      if (!shape.before.empty()) within_.set(pair);
      auto& shapes = shapes_[pair];
      if (!shapes) shapes = std::make_unique<std::vector<Compiled>>();
      shapes->push_back(std::move(compiled));
    }
    for (const std::size_t mark : {pair_of('-', '-'), pair_of(':', '/')}) {
      sure_.set(mark);
      within_.set(mark);
    }
    likely_ = sure_;
    for (int c = 0; c < 256; ++c) {
      for (const std::size_t mark :
           {pair_of('=', static_cast<char>(c)), pair_of(':', static_cast<char>(c))}) {
        likely_.set(mark);
        within_.set(mark);
      }
    }
  }

  std::vector<Finding> scan(std::string_view text, Tier least) const {
    const std::bitset<65536>& worth = least == Tier::sure ? sure_ : likely_;
    std::vector<Finding> findings;
    for (std::size_t at = 0; at + 1 < text.size(); ++at) {
      const std::size_t pair = pair_of(text[at], text[at + 1]);
      if (!worth[pair] || (!within_[pair] && !begins_word(text, at))) continue;
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

  std::optional<Finding> find(std::string_view text, std::size_t at, Tier least) const {
    if (const auto& shapes = shapes_[pair_of(text[at], text[at + 1])]) {
      std::optional<Finding> longest;
      for (const Compiled& one : *shapes) {
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

  // By pairs of characters.
  std::bitset<65536> sure_, likely_;  // worth a look
  std::bitset<65536> within_;         // also in the middle of a word
  std::vector<std::unique_ptr<std::vector<Compiled>>> shapes_ =
      std::vector<std::unique_ptr<std::vector<Compiled>>>(65536);
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

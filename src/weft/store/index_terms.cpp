// From a thought to the terms under which it is found.
#include <algorithm>
#include <functional>
#include <map>
#include <unordered_set>

#include "weft/search/blind.hpp"
#include "weft/search/score.hpp"
#include "weft/search/terms.hpp"
#include "weft/store/index_terms.hpp"

namespace weft::store {
namespace {

// Stands where text was passed over, so that no phrase reaches across. No text has it.
constexpr std::string_view kGap = "=";

void append(std::string& packed, std::string_view term, bool beside) {
  if (beside) packed += '\0';
  packed += static_cast<char>(term.size());
  packed += term;
}

// The term that follows stands `count` times.
void append_repeat(std::string& packed, std::uint32_t count) {
  packed += static_cast<char>(kRepeat);
  for (int shift = 0; shift < 32; shift += 8) packed += static_cast<char>(count >> shift & 0xFF);
}

// Admits the first kMaxDistinctTerms different terms of a text, each however often it stands there.
class TermLimit {
 public:
  explicit TermLimit(std::string_view text) : is_long_(text.size() > kLongText) {}
  bool is_long() const { return is_long_; }
  bool admits(std::string_view term) {
    if (!is_long_) return true;  // it has not so many
    const std::size_t hash = std::hash<std::string_view>()(term);
    return seen_.contains(hash) || (seen_.size() < kMaxDistinctTerms && seen_.insert(hash).second);
  }

 private:
  // A shorter text has fewer terms than the limit.
  static constexpr std::size_t kLongText = kMaxDistinctTerms;
  bool is_long_;
  std::unordered_set<std::size_t> seen_;  // their hashes
};

// In the order of the text, stop words included: phrases are found by their positions.
LayerTerms clear_terms(std::string_view text, std::string_view tool) {
  LayerTerms out;
  out.packed.reserve(text.size() + text.size() / 4);
  TermLimit limit(text);
  std::uint32_t next = 0;  // position
  const auto take = [&](const search::Term& term) {
    out.length += term.is_stop ? 0 : 1;
    if (!limit.admits(term.text)) return;
    for (; next < term.position; ++next) append(out.packed, kGap, false);
    append(out.packed, term.text, next > term.position);
    next = term.position + 1;
  };
  search::each_term(text, take);
  if (!tool.empty()) append(out.packed, search::tool_term(tool), false);
  return out;
}

// Of a long text: each term once, with the number of times it stands there.
void append_counted(std::string& packed, std::string_view text, const auto& blind,
                    std::uint32_t& length) {
  TermLimit limit(text);
  std::map<search::BlindTerm, std::uint32_t> times;
  const auto take = [&](const search::Term& term) {
    if (term.is_stop) return;
    ++length;
    if (limit.admits(term.text)) ++times[blind(term.text)];
  };
  search::each_term(text, take);
  for (const auto& [term, count] : times) {
    if (count > 1) append_repeat(packed, count);
    append(packed, search::text_of(term), false);
  }
}

// In the order of their hashes: what stood next to what does not show. Stop words are left
// out: how often they come would be the first thing to give them away.
LayerTerms blind_terms(std::string_view text, std::string_view tool, const crypto::LayerKey& key) {
  thread_local std::map<std::string, search::Blinder> blinders;  // by the keys' ids
  search::Blinder& blinder = blinders[key.id()];
  const auto blind = [&](std::string_view term) { return blinder(key, term); };
  LayerTerms out;
  std::vector<search::BlindTerm> terms;
  if (TermLimit(text).is_long()) {
    append_counted(out.packed, text, blind, out.length);
  } else {
    const auto take = [&](const search::Term& term) {
      if (!term.is_stop) terms.push_back(blind(term.text));
    };
    search::each_term(text, take);
    out.length = static_cast<std::uint32_t>(terms.size());
  }
  if (!tool.empty()) terms.push_back(blind(search::tool_term(tool)));
  std::ranges::sort(terms);
  out.packed.reserve(out.packed.size() + terms.size() * (1 + search::kBlindChars));
  for (const search::BlindTerm& term : terms) append(out.packed, search::text_of(term), false);
  return out;
}

// The key of a layer, if it is at hand.
struct SealedBy {
  const crypto::LayerKey* key = nullptr;
  bool is_own = false;
};
SealedBy sealed_by(const crypto::Keyring& keyring, crypto::Layer layer, std::string_view id) {
  const crypto::LayerKey* key = keyring.find_key(layer, id);
  return {.key = key, .is_own = key != nullptr && key == keyring.layer(layer)};
}

LayerTerms sealed_terms(std::string_view text, std::string_view tool, const SealedBy& keys,
                        std::string_view key_id) {
  LayerTerms out;
  if (keys.key != nullptr) out = blind_terms(text, tool, *keys.key);
  if (keys.is_own) return out;
  append(out.packed, keys.key != nullptr ? indexed_term(key_id) : closed_term(key_id), false);
  return out;
}

}  // namespace

std::string indexed_term(std::string_view key_id) { return "key=" + std::string(key_id); }
std::string closed_term(std::string_view key_id) { return "closed=" + std::string(key_id); }

IndexKeys keys_of(const Indexer& indexer) {
  IndexKeys keys;
  if (indexer.keyring == nullptr || !indexer.index_sealed) return keys;
  if (const auto* key = indexer.keyring->layer(crypto::Layer::metadata)) keys.metadata = key->id();
  if (const auto* key = indexer.keyring->layer(crypto::Layer::content)) keys.content = key->id();
  return keys;
}

std::optional<ThoughtTerms> terms_of(const thought::Thought& thought, const Indexer& indexer) {
  if (!is_searched(thought.type)) return std::nullopt;
  return terms_of(thought, open_layers(thought, indexer.index_sealed ? indexer.keyring : nullptr),
                  indexer);
}

std::optional<ThoughtTerms> terms_of(const thought::Thought& thought, const OpenLayers& layers,
                                     const Indexer& indexer, bool is_without_secrets) {
  if (!is_searched(thought.type)) return std::nullopt;
  const crypto::Keyring* keyring = indexer.index_sealed ? indexer.keyring : nullptr;
  const Searchable parts = searchable(thought, keyring == nullptr ? OpenLayers() : layers,
                                      is_without_secrets ? Secrets::kept : Secrets::blanked);
  ThoughtTerms out{.clear = clear_terms(parts.clear, parts.tool)};
  if (keyring == nullptr) return out;
  if (const auto& box = thought.layers.metadata) {
    const SealedBy keys = sealed_by(*keyring, crypto::Layer::metadata, box->key_id);
    out.metadata = sealed_terms(parts.metadata, parts.sealed_tool, keys, box->key_id);
  }
  if (const auto& box = thought.layers.content) {
    const SealedBy keys = sealed_by(*keyring, crypto::Layer::content, box->key_id);
    out.content = sealed_terms(parts.content, {}, keys, box->key_id);
  }
  return out;
}

}  // namespace weft::store

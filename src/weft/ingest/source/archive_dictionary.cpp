#include "weft/ingest/source/archive_dictionary.hpp"

#include <algorithm>

namespace weft::ingest {
namespace {

// So much may one piece lean on; zstd's window (source_seal.cpp) reaches over it and the piece.
constexpr std::size_t kMaxText = 3u << 20;

// What holds words of the file, and enough of them to be worth it.
bool holds_words(const thought::Thought& thought, std::string_view said) {
  constexpr std::size_t kFew = 32;
  const std::string_view kind = thought::kind_of(thought.type);
  return said.size() >= kFew && (store::is_searched(thought.type) || kind == "redacted_thinking");
}

}  // namespace

ArchiveDictionary dictionary_for(const RawSegment& raw, const store::Batch& batch,
                                 const store::Plaintexts& said) {
  const auto each = [&](const auto& visit) {
    for (std::size_t i = raw.units.first; i < raw.units.last; ++i) {
      for (std::size_t at = 0; at < said[i].size(); ++at) {
        const thought::Thought& thought = batch.units[i].thoughts[at];
        if (holds_words(thought, said[i][at])) visit(thought.cid, said[i][at]);
      }
    }
  };
  std::size_t all = 0;
  each([&](const Cid&, std::string_view text) { all += text.size(); });
  // Which words stand in which piece is not known: about those that come as far into the whole,
  // and half as many again before and behind them.
  const std::size_t share = all / raw.parts;
  const std::size_t from = share * raw.part - std::min(share * raw.part, share / 2);
  const std::size_t to = raw.part + 1 == raw.parts ? all : share * (raw.part + 1) + share / 2;
  ArchiveDictionary dictionary;
  std::size_t before = 0;
  each([&](const Cid& cid, std::string_view text) {
    const bool is_near = before < to && before + text.size() > from;
    before += text.size();
    if (!is_near || dictionary.text.size() + text.size() > kMaxText) return;
    dictionary.thoughts.push_back(cid);
    dictionary.text += text;
  });
  return dictionary;
}

Result<std::string> leaned_text(const store::Store& store, const crypto::Keyring& keyring,
                                const std::vector<Cid>& thoughts) {
  std::string text;
  for (const Cid& cid : thoughts) {
    const Result<thought::Thought> thought = store.get_pathless(cid);
    if (!thought) return fail(Error(thought.error()).within("reading what the archive leans on"));
    text += store::plaintext_of(*thought, &keyring);
  }
  return text;
}

}  // namespace weft::ingest

#include "weft/ingest/source/archive_dictionary.hpp"
#include "weft/store/body.hpp"
#include "weft/store/searchable.hpp"

#include <algorithm>

namespace weft::ingest {
namespace {

// The largest dictionary; zstd's window (source_seal.cpp) covers it and the segment.
constexpr std::size_t kMaxText = store::kMaxPlaintext;

// Whether a thought holds text of the file, and enough of it to help.
bool holds_text(const thought::Thought& thought, std::string_view plaintext) {
  constexpr std::size_t kFew = 32;
  const std::string_view kind = thought::kind_of(thought.type);
  return plaintext.size() >= kFew &&
         (store::is_searched(thought.type) || kind == "redacted_thinking");
}

}  // namespace

ArchiveDictionary dictionary_for(const RawSegment& raw, const store::Batch& batch,
                                 const store::Plaintexts& plaintexts) {
  const auto each = [&](const auto& visit) {
    for (std::size_t i = raw.units.first; i < raw.units.last; ++i) {
      for (std::size_t at = 0; at < plaintexts[i].size(); ++at) {
        const thought::Thought& thought = batch.units[i].thoughts[at];
        if (holds_text(thought, plaintexts[i][at])) visit(thought.cid, plaintexts[i][at]);
      }
    }
  };
  std::size_t all = 0;
  each([&](const Cid&, std::string_view text) { all += text.size(); });
  // It is not known which segment has which text: take the text at the same relative position, and
  // half as much again before and after it.
  const std::size_t share = all / raw.parts;
  const std::size_t from = share * raw.part - std::min(share * raw.part, share / 2);
  const std::size_t to = raw.part + 1 == raw.parts ? all : share * (raw.part + 1) + share / 2;
  ArchiveDictionary dictionary;
  dictionary.text.reserve(std::min(std::min(to, all) - std::min(from, all), kMaxText));
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

Result<std::string> dictionary_text(const store::Store& store, const crypto::Keyring& keyring,
                                    const std::vector<Cid>& thoughts) {
  std::string text;
  for (const Cid& cid : thoughts) {
    const Result<thought::Thought> thought = store.get_without_path(cid);
    if (!thought)
      return fail(Error(thought.error()).within("reading the dictionary of an archived segment"));
    text += store::plaintext_of(*thought, &keyring);
  }
  return text;
}

}  // namespace weft::ingest

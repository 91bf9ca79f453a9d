#include "weft/ingest/seal/repack.hpp"

#include <algorithm>

#include "weft/base/hex.hpp"
#include "weft/base/try.hpp"
#include "weft/ingest/source/source_seal.hpp"
#include "weft/store/body.hpp"

namespace weft::ingest {
namespace {

// A damaged number must not be counted down to 0.
constexpr std::uint64_t kMostGenerations = 1024;

class Repacker {
 public:
  Repacker(const store::Store& store, const crypto::Keyring& keyring, const SealedForms& sealed)
      : store_(store), keyring_(keyring), seal_(keyring), sealed_(sealed) {}

  Result<std::optional<store::SealRequest::Source>> repack(const store::Source& source) {
    store::SealRequest::Source changed{
        .key = source.key, .revision = source.revision, .state = source.state};
    const std::uint64_t oldest = source.generation - std::min(source.generation, kMostGenerations);
    for (std::uint64_t generation = oldest; generation <= source.generation; ++generation) {
      WEFT_TRY(repack_generation(source, generation, changed));
    }
    WEFT_TRY_VALUE(const bool has_state, rename_in_state(source, changed.state));
    if (!has_state && changed.pieces.empty()) return std::nullopt;
    return changed;
  }

 private:
  Status repack_generation(const store::Source& source, std::uint64_t generation,
                           store::SealRequest::Source& changed) const {
    Status status;
    const auto visit = [&](const store::Segment& segment) {
      const auto is_sealed = [this](const Cid& cid) { return sealed_.contains(cid); };
      if (std::ranges::none_of(segment.dictionary, is_sealed)) return true;
      Result<store::Segment> packed = repack_piece(source, generation, segment);
      if (packed) changed.pieces.push_back({generation, *std::move(packed)});
      else status = fail(std::move(packed).error());
      return status.has_value();
    };
    WEFT_TRY(store_.sources().each_segment(source.key, generation, visit));
    return status;
  }

  Result<store::Segment> repack_piece(const store::Source& source, std::uint64_t generation,
                                      const store::Segment& segment) const {
    WEFT_TRY_VALUE(const std::string bytes,
                   open_segment(store_, keyring_, source.key, generation, segment));
    ArchiveDictionary dictionary;
    for (const Cid& cid : segment.dictionary) {
      const auto sealed = sealed_.find(cid);
      const bool is_kept = sealed == sealed_.end();
      WEFT_TRY_VALUE(
          const thought::Thought thought,
          is_kept ? store_.get_without_path(cid) : Result<thought::Thought>(*sealed->second));
      dictionary.thoughts.push_back(thought.cid);
      dictionary.text += store::plaintext_of(thought, &keyring_);
    }
    return seal_.seal_segment(source.key, generation, segment.seq, bytes, std::move(dictionary));
  }

  // A state names the thoughts that the next ones rest on by the digits of their CIDs.
  Result<bool> rename_in_state(const store::Source& source, std::string& state) const {
    if (source.state.empty()) return false;
    WEFT_TRY_VALUE(std::string text, seal_.open_state(source.key, source.state));
    bool has_renamed = false;
    for (const auto& [clear, sealed] : sealed_) {
      const std::string before = to_hex(clear.digest()), after = to_hex(sealed->cid.digest());
      for (std::size_t at = text.find(before); at != std::string::npos;
           at = text.find(before, at + after.size())) {
        text.replace(at, before.size(), after);
        has_renamed = true;
      }
    }
    if (has_renamed) state = seal_.seal_state(source.key, text);
    return has_renamed;
  }

  const store::Store& store_;
  const crypto::Keyring& keyring_;
  const SourceSeal seal_;
  const SealedForms& sealed_;
};

}  // namespace

Result<std::optional<store::SealRequest::Source>> repack(const store::Store& store,
                                                         const crypto::Keyring& keyring,
                                                         const store::Source& source,
                                                         const SealedForms& sealed) {
  return Repacker(store, keyring, sealed).repack(source);
}

}  // namespace weft::ingest

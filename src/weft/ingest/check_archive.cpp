#include "weft/ingest/check_archive.hpp"

#include <algorithm>

#include "weft/base/try.hpp"
#include "weft/ingest/source/source_seal.hpp"

namespace weft::ingest {
namespace {

// A damaged number must not be counted down to 0.
constexpr std::uint64_t kMostGenerations = 1024;

// Opens all pieces of one generation. The number of bytes in them.
Result<std::uint64_t> open_pieces(const store::Store& store, const crypto::Keyring& keyring,
                                  const store::Source& source, std::uint64_t generation) {
  std::uint64_t next = 0, bytes = 0;
  Status opened;
  const auto open = [&](const store::Segment& segment) {
    const Result<std::string> piece = open_segment(store, keyring, source.key, generation, segment);
    if (!piece) opened = fail(Error(piece.error()));
    else if (segment.seq != next) opened = fail(ErrorCode::corrupt, "a piece before it is missing");
    else if (piece->size() != segment.size) opened = fail(ErrorCode::corrupt, "its size is wrong");
    else bytes += piece->size();
    ++next;
    return opened.has_value();
  };
  WEFT_TRY(store.sources().each_segment(source.key, generation, open));
  if (!opened) {
    return fail(std::move(opened).error().within("piece " + std::to_string(next)));
  }
  return bytes;
}

store::StoreFinding to_finding(const crypto::Keyring& keyring, const store::Source& source,
                               const std::string& reason) {
  const Result<SourceDescription> about = open_description(keyring, source);
  const std::string file = about ? about->path : "a file whose name does not open";
  return {.table = "archive",
          .what = file + " cannot be restored: " + reason,
          .cure = "weft repair; if the file still exists, ingest it again"};
}

Result<std::vector<store::StoreFinding>> check_generations(const store::Store& store,
                                                           const crypto::Keyring& keyring,
                                                           const store::Source& source) {
  std::vector<store::StoreFinding> found;
  const std::uint64_t oldest = source.generation - std::min(source.generation, kMostGenerations);
  for (std::uint64_t generation = oldest; generation <= source.generation; ++generation) {
    const Result<std::uint64_t> bytes = open_pieces(store, keyring, source, generation);
    if (!bytes && bytes.error().code == ErrorCode::unavailable) return fail(Error(bytes.error()));
    if (!bytes) {
      found.push_back(to_finding(keyring, source, bytes.error().message));
    } else if (generation == source.generation && *bytes != source.archived) {
      found.push_back(to_finding(keyring, source, "a piece of it is missing"));
    }
  }
  return found;
}

// Another process may add to the source meanwhile. Then its row and its pieces do not belong
// together, and it is checked again.
Result<std::vector<store::StoreFinding>> check_source(const store::Store& store,
                                                      const crypto::Keyring& keyring,
                                                      store::Source source) {
  while (true) {
    WEFT_TRY_VALUE(auto found, check_generations(store, keyring, source));
    if (found.empty()) return found;
    WEFT_TRY_VALUE(auto now, store.sources().find(source.key));
    if (!now) return std::vector<store::StoreFinding>();  // it was forgotten
    if (now->revision == source.revision) return found;
    source = *std::move(now);
    source.state.clear();
  }
}

}  // namespace

Result<std::vector<std::function<Result<std::vector<store::StoreFinding>>()>>> archive_checks(
    const store::Store& store, const crypto::Keyring& keyring) {
  std::vector<std::function<Result<std::vector<store::StoreFinding>>()>> checks;
  if (!keyring.archive_key()) return checks;
  WEFT_TRY_VALUE(auto sources, store.sources().all());
  for (store::Source& source : sources) {
    source.state.clear();  // large, and not needed here
    checks.emplace_back(
        [&store, &keyring, one = std::move(source)] { return check_source(store, keyring, one); });
  }
  return checks;
}

}  // namespace weft::ingest

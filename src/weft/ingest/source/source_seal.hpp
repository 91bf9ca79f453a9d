// SourceSeal names and seals the sources in the store (docs/formats/store.md). Neither the content
// nor
// the path of a file is in the store in the clear.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "weft/crypto/keyring.hpp"
#include "weft/ingest/source/archive_dictionary.hpp"
#include "weft/store/store.hpp"

namespace weft::ingest {

// The description of a source.
struct SourceDescription {
  std::string format;
  std::string path;     // of a conversation in a database: the file's path, "!", its name there
  std::string project;  // empty if there is none
  friend bool operator==(const SourceDescription&, const SourceDescription&) = default;
};

// Paths of sources that are not files. A session that was pushed block by block (capture/) has this
// and its session id as its path; the list of all of them has this alone. Nothing of them is
// archived. The path of a file never begins so, for it is absolute.
inline constexpr std::string_view kCapturedPath = "capture:";
// Likewise for conversations recorded by the proxy: this, and a hash of their beginning.
inline constexpr std::string_view kRecordedPath = "record:";
inline bool is_recorded(const SourceDescription& about) {
  return about.path.starts_with(kRecordedPath);
}
inline bool is_captured(const SourceDescription& about) {
  return about.path.starts_with(kCapturedPath) || is_recorded(about);
}
// Whether the source is such a list, and has no conversation.
inline bool is_register(const SourceDescription& about) {
  return about.path == kCapturedPath || about.path == kRecordedPath;
}

// The largest segment of the archive.
inline constexpr std::size_t kSegmentBytes = 1u << 20;

// Seals sources for ingest. `keyring` can sign and outlives it. Thread-safe.
class SourceSeal {
 public:
  explicit SourceSeal(const crypto::Keyring& keyring);

  store::SourceKey key(std::string_view path) const;
  // A keyed hash of both ends of what was read.
  std::string fingerprint(std::string_view first, std::string_view last) const;

  std::string seal_description(const store::SourceKey& key, const SourceDescription& about) const;
  std::string seal_state(const store::SourceKey& key, std::string_view state) const;
  Result<std::string> open_state(const store::SourceKey& key, std::string_view sealed) const;
  // Compresses the bytes with a dictionary, and seals them.
  store::Segment seal_segment(const store::SourceKey& key, std::uint64_t generation,
                              std::uint64_t seq, std::string_view bytes,
                              ArchiveDictionary dictionary = {}) const;

 private:
  const crypto::Keyring& keyring_;
  crypto::LayerKey archive_;
};

// Opens the description of a source. denied if the keyring has no metadata key.
Result<SourceDescription> open_description(const crypto::Keyring& keyring,
                                           const store::Source& source);
// The original bytes of a segment, or corrupt: never other bytes. The thoughts of its dictionary
// are read from `store`. denied without the content key.
Result<std::string> open_segment(const store::Store& store, const crypto::Keyring& keyring,
                                 const store::SourceKey& key, std::uint64_t generation,
                                 const store::Segment& segment);

}  // namespace weft::ingest

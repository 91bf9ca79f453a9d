// How what is kept of sources is named and sealed: docs/formats/store.md. Nothing that a file
// says, nor where it lies, is in the store in the clear.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "weft/crypto/keyring.hpp"
#include "weft/ingest/source/archive_dictionary.hpp"
#include "weft/store/source.hpp"

namespace weft::ingest {

// What a source is, for people.
struct About {
  std::string format;
  std::string path;     // of a conversation in a database: the file's, "!", its name there
  std::string project;  // empty where it has none
  friend bool operator==(const About&, const About&) = default;
};

// Sources that are no files: sessions that were pushed block by block (capture/), each under this
// and its session id; under this alone what is known of all of them. Nothing of them is archived.
// No file's path begins so, for these are absolute.
inline constexpr std::string_view kCapturedPath = "capture:";
// Likewise conversations that were heard on their way to an API, each under this and how it begins.
inline constexpr std::string_view kRecordedPath = "record:";
inline bool is_recorded(const About& about) { return about.path.starts_with(kRecordedPath); }
inline bool is_captured(const About& about) {
  return about.path.starts_with(kCapturedPath) || is_recorded(about);
}
// What is known of all of them, and no conversation.
inline bool is_register(const About& about) {
  return about.path == kCapturedPath || about.path == kRecordedPath;
}

// Pieces of a file are archived up to this size each.
inline constexpr std::size_t kSegmentBytes = 1u << 20;

// For whoever takes files in. `keyring` can sign and outlives it. Any thread may use it.
class SourceSeal {
 public:
  explicit SourceSeal(const crypto::Keyring& keyring);

  store::SourceKey key(std::string_view path) const;
  // Of both ends of what was read.
  std::string fingerprint(std::string_view first, std::string_view last) const;

  std::string seal_about(const store::SourceKey& key, const About& about) const;
  std::string seal_state(const store::SourceKey& key, std::string_view state) const;
  Result<std::string> open_state(const store::SourceKey& key, std::string_view sealed) const;
  // Compresses against what it leans on, and seals.
  store::Segment seal_segment(const store::SourceKey& key, std::uint64_t generation,
                              std::uint64_t seq, std::string_view bytes,
                              ArchiveDictionary dictionary = {}) const;

 private:
  const crypto::Keyring& keyring_;
  crypto::LayerKey archive_;
};

// For whoever asks, with any keyring. denied where it does not reach.
Result<About> open_about(const crypto::Keyring& keyring, const store::Source& source);
// The bytes as they were, or corrupt: never others. What the piece leans on is read from `store`.
Result<std::string> open_segment(const store::Store& store, const crypto::Keyring& keyring,
                                 const store::SourceKey& key, std::uint64_t generation,
                                 const store::Segment& segment);

}  // namespace weft::ingest

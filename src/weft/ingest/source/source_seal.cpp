#include "weft/ingest/source/source_seal.hpp"

#include <zstd.h>

#include <algorithm>
#include <memory>
#include <new>

#include "weft/base/hex.hpp"
#include "weft/base/json.hpp"
#include "weft/crypto/blake3.hpp"
#include "weft/store/pages/box_bytes.hpp"

namespace weft::ingest {
namespace {

// For sessions of Claude Code, level 3 would save a fifteenth of the archive, in twice the time.
constexpr int kCompressionLevel = 1;
constexpr std::size_t kMaxStateBytes = 64u << 20;

std::string associated(std::string_view what, const store::SourceKey& key) {
  return canonical_json(json::array{what, to_hex(key)});
}

std::string associated(const store::SourceKey& key, std::uint64_t generation, std::uint64_t seq) {
  return canonical_json(json::array{"archive", to_hex(key), generation, seq});
}

// The first byte of a sealed segment that has a dictionary; any other is a zstd frame.
constexpr char kHasDictionary = 1;
constexpr std::size_t kDigestBytes = 16;
constexpr int kWindowLog = 22;  // covers a segment and its dictionary
// Hash table and minimum match, larger than zstd chooses for level 1: the text of a dictionary
// occurs anywhere in the segment, and in long matches.
constexpr int kDictionaryHashLog = 17, kDictionaryMinMatch = 7;

struct FreeContext {
  void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

// Adds a frame to `out`.
void append_frame(std::string& out, std::string_view bytes, std::string_view dictionary = {}) {
  thread_local const std::unique_ptr<ZSTD_CCtx, FreeContext> context(ZSTD_createCCtx());
  ZSTD_CCtx_reset(context.get(), ZSTD_reset_session_and_parameters);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, kCompressionLevel);
  if (!dictionary.empty()) {
    ZSTD_CCtx_setParameter(context.get(), ZSTD_c_windowLog, kWindowLog);
    ZSTD_CCtx_setParameter(context.get(), ZSTD_c_hashLog, kDictionaryHashLog);
    ZSTD_CCtx_setParameter(context.get(), ZSTD_c_minMatch, kDictionaryMinMatch);
    ZSTD_CCtx_refPrefix(context.get(), dictionary.data(), dictionary.size());
  }
  const std::size_t start = out.size(), bound = ZSTD_compressBound(bytes.size());
  std::size_t size = 0;
  out.resize_and_overwrite(start + bound, [&](char* room, std::size_t) {
    size = ZSTD_compress2(context.get(), room + start, bound, bytes.data(), bytes.size());
    return start + (ZSTD_isError(size) ? 0 : size);
  });
  if (ZSTD_isError(size)) throw std::bad_alloc();  // nothing else can fail
}

Result<std::string> read_frame(std::string_view frame, std::size_t limit,
                               std::string_view dictionary = {}) {
  thread_local const std::unique_ptr<ZSTD_DCtx, FreeContext> context(ZSTD_createDCtx());
  const unsigned long long size = ZSTD_getFrameContentSize(frame.data(), frame.size());
  if (size > limit)
    return fail(ErrorCode::corrupt, "a sealed part of a source has an impossible size");
  ZSTD_DCtx_reset(context.get(), ZSTD_reset_session_and_parameters);
  if (!dictionary.empty()) ZSTD_DCtx_refPrefix(context.get(), dictionary.data(), dictionary.size());
  std::string out(size, '\0');
  const std::size_t got =
      ZSTD_decompressDCtx(context.get(), out.data(), out.size(), frame.data(), frame.size());
  if (ZSTD_isError(got) || got != size) {
    return fail(ErrorCode::corrupt, "the archive is damaged: a sealed part cannot be decompressed");
  }
  return out;
}

std::string_view digest_of(const Digest& digest) {
  return {reinterpret_cast<const char*>(digest.data()), kDigestBytes};
}

std::string seal(const crypto::LayerKey& key, std::string_view about, std::string_view plain) {
  return store::box_bytes(crypto::Box::seal(key, about, plain));
}

Result<std::string> open(const crypto::LayerKey& key, std::string_view about,
                         std::string_view bytes) {
  const Result<crypto::Box> box = store::to_box(bytes);
  if (!box) return fail(box.error());
  return box->open(key, about);
}

}  // namespace

SourceSeal::SourceSeal(const crypto::Keyring& keyring)
    : keyring_(keyring), archive_(keyring.archive_key().value()) {}

store::SourceKey SourceSeal::key(std::string_view path) const {
  const Digest digest = crypto::blake3_keyed(keyring_.source_hash_key(),
                                             {canonical_json(json::array{"source", path})});
  store::SourceKey key;
  std::copy_n(digest.begin(), key.size(), key.begin());
  return key;
}

std::string SourceSeal::fingerprint(std::string_view first, std::string_view last) const {
  const Digest digest = crypto::blake3_keyed(keyring_.source_hash_key(), {first, last});
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

std::string SourceSeal::seal_description(const store::SourceKey& key,
                                         const SourceDescription& about) const {
  const std::string plain = canonical_json(
      json::object{{"format", about.format}, {"path", about.path}, {"project", about.project}});
  return seal(*keyring_.layer(crypto::Layer::metadata), associated("source about", key), plain);
}

std::string SourceSeal::seal_state(const store::SourceKey& key, std::string_view state) const {
  std::string frame;
  append_frame(frame, state);
  return seal(archive_, associated("source state", key), frame);
}

Result<std::string> SourceSeal::open_state(const store::SourceKey& key,
                                           std::string_view sealed) const {
  Result<std::string> frame = open(archive_, associated("source state", key), sealed);
  if (!frame) return frame;
  return read_frame(*frame, kMaxStateBytes);
}

store::Segment SourceSeal::seal_segment(const store::SourceKey& key, std::uint64_t generation,
                                        std::uint64_t seq, std::string_view bytes,
                                        ArchiveDictionary dictionary) const {
  std::string plain;
  if (!dictionary.text.empty()) {
    plain += kHasDictionary;
    plain += digest_of(crypto::blake3(bytes));
  }
  append_frame(plain, bytes, dictionary.text);
  return {.seq = seq,
          .size = bytes.size(),
          .sealed = seal(archive_, associated(key, generation, seq), plain),
          .dictionary = std::move(dictionary.thoughts)};
}

Result<SourceDescription> open_description(const crypto::Keyring& keyring,
                                           const store::Source& source) {
  const crypto::LayerKey* key = keyring.layer(crypto::Layer::metadata);
  if (key == nullptr)
    return fail(ErrorCode::denied,
                "this keyring cannot open the names of sources: it has no metadata key");
  Result<std::string> plain = open(*key, associated("source about", source.key), source.about);
  if (!plain) return fail(std::move(plain).error().within("opening the name of a source"));
  const Result<ParsedJson> parsed = parse_json(*plain);
  const json::object* object = parsed ? parsed->value.if_object() : nullptr;
  if (object == nullptr)
    return fail(ErrorCode::corrupt,
                "the stored description of a source is damaged: not a JSON object");
  const auto text = [&](std::string_view name) {
    return std::string(find_string(*object, name).value_or(""));
  };
  return SourceDescription{
      .format = text("format"), .path = text("path"), .project = text("project")};
}

Result<std::string> open_segment(const store::Store& store, const crypto::Keyring& keyring,
                                 const store::SourceKey& key, std::uint64_t generation,
                                 const store::Segment& segment) {
  const std::optional<crypto::LayerKey> archive = keyring.archive_key();
  if (!archive)
    return fail(ErrorCode::denied,
                "the archive is sealed with the content key, which this keyring does not have");
  Result<std::string> plain =
      open(*archive, associated(key, generation, segment.seq), segment.sealed);
  if (!plain) return plain;
  std::string_view frame = *plain, digest;
  std::string dictionary;
  if (frame.starts_with(kHasDictionary)) {
    Result<std::string> text = dictionary_text(store, keyring, segment.dictionary);
    if (!text) return text;
    dictionary = *std::move(text);
    digest = frame.substr(1, kDigestBytes);
    frame.remove_prefix(std::min(frame.size(), 1 + kDigestBytes));
  }
  Result<std::string> bytes = read_frame(frame, 2 * kSegmentBytes, dictionary);
  if (!bytes) return bytes;
  if (bytes->size() != segment.size) {
    return fail(ErrorCode::corrupt, "the archive is damaged: a segment has the wrong size");
  }
  if (!digest.empty() && digest != digest_of(crypto::blake3(*bytes))) {
    return fail(
        ErrorCode::corrupt,
        "an archived segment cannot be restored: the thoughts of its dictionary have changed");
  }
  return bytes;
}

}  // namespace weft::ingest

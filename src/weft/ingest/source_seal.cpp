#include "weft/ingest/source_seal.hpp"

#include <zstd.h>

#include <algorithm>
#include <memory>

#include "weft/base/hex.hpp"
#include "weft/base/json.hpp"
#include "weft/crypto/blake3.hpp"
#include "weft/store/box_bytes.hpp"

namespace weft::ingest {
namespace {

// Of Claude Code's sessions level 3 would save a fifteenth of the archive, and cost twice the time.
constexpr int kCompressionLevel = 1;
constexpr std::size_t kMaxStateBytes = 64u << 20;

std::string associated(std::string_view what, const store::SourceKey& key) {
  return canonical_json(json::array{what, to_hex(key)});
}

std::string associated(const store::SourceKey& key, std::uint64_t generation, std::uint64_t seq) {
  return canonical_json(json::array{"archive", to_hex(key), generation, seq});
}

struct FreeCompressor {
  void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
};

std::string compress(std::string_view bytes) {
  thread_local const std::unique_ptr<ZSTD_CCtx, FreeCompressor> context(ZSTD_createCCtx());
  std::string out;
  out.resize_and_overwrite(ZSTD_compressBound(bytes.size()), [&](char* room, std::size_t bound) {
    const std::size_t size = ZSTD_compressCCtx(context.get(), room, bound, bytes.data(),
                                               bytes.size(), kCompressionLevel);
    return ZSTD_isError(size) ? 0 : size;
  });
  return out;
}

Result<std::string> decompress(std::string_view frame, std::size_t limit) {
  const unsigned long long size = ZSTD_getFrameContentSize(frame.data(), frame.size());
  if (size > limit) return fail(ErrorCode::corrupt, "what was sealed is not of a size it can be");
  std::string out(size, '\0');
  const std::size_t got = ZSTD_decompress(out.data(), out.size(), frame.data(), frame.size());
  if (ZSTD_isError(got) || got != size) {
    return fail(ErrorCode::corrupt, "what was sealed does not unpack");
  }
  return out;
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

std::string SourceSeal::print(std::string_view first, std::string_view last) const {
  const Digest digest = crypto::blake3_keyed(keyring_.source_hash_key(), {first, last});
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

std::string SourceSeal::seal_about(const store::SourceKey& key, const About& about) const {
  const std::string plain = canonical_json(
      json::object{{"format", about.format}, {"path", about.path}, {"project", about.project}});
  return seal(*keyring_.layer(crypto::Layer::metadata), associated("source about", key), plain);
}

std::string SourceSeal::seal_state(const store::SourceKey& key, std::string_view state) const {
  return seal(archive_, associated("source state", key), compress(state));
}

Result<std::string> SourceSeal::open_state(const store::SourceKey& key,
                                           std::string_view sealed) const {
  Result<std::string> frame = open(archive_, associated("source state", key), sealed);
  if (!frame) return frame;
  return decompress(*frame, kMaxStateBytes);
}

store::Segment SourceSeal::seal_segment(const store::SourceKey& key, std::uint64_t generation,
                                        std::uint64_t seq, std::string_view bytes) const {
  return {.seq = seq,
          .size = bytes.size(),
          .sealed = seal(archive_, associated(key, generation, seq), compress(bytes))};
}

Result<About> open_about(const crypto::Keyring& keyring, const store::Source& source) {
  const crypto::LayerKey* key = keyring.layer(crypto::Layer::metadata);
  if (key == nullptr) return fail(ErrorCode::denied, "the keyring does not open names of sources");
  Result<std::string> plain = open(*key, associated("source about", source.key), source.about);
  if (!plain) return fail(std::move(plain).error().within("opening the name of a source"));
  const Result<ParsedJson> parsed = parse_json(*plain);
  const json::object* object = parsed ? parsed->value.if_object() : nullptr;
  if (object == nullptr) return fail(ErrorCode::corrupt, "the name of a source is no object");
  const auto text = [&](std::string_view name) {
    return std::string(find_string(*object, name).value_or(""));
  };
  return About{.format = text("format"), .path = text("path"), .project = text("project")};
}

Result<std::string> open_segment(const crypto::LayerKey& archive, const store::SourceKey& key,
                                 std::uint64_t generation, const store::Segment& segment) {
  Result<std::string> frame =
      open(archive, associated(key, generation, segment.seq), segment.sealed);
  if (!frame) return frame;
  Result<std::string> bytes = decompress(*frame, 2 * kSegmentBytes);
  if (bytes && bytes->size() != segment.size) {
    return fail(ErrorCode::corrupt, "a piece of the archive is not of the size it should be");
  }
  return bytes;
}

}  // namespace weft::ingest

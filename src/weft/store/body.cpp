#include "weft/store/body.hpp"

#include <zstd.h>

#include <algorithm>
#include <memory>

#include "weft/store/store.hpp"

namespace weft::store {
namespace {

// Bodies of 1.4 KB, in us and in the store's size: level -1 takes 2.7 less than level 1 and
// leaves 27 % more; level 3 takes 4.5 more and saves nothing.
constexpr int kLevel = 1;
// Below this a frame's own header eats what it saves.
constexpr std::size_t kWorthPacking = 128;
constexpr std::size_t kMaxBodyBytes = std::size_t{1} << 30;
constexpr std::size_t kFirstBytes = std::size_t{1} << 20;

// Making one costs more than most bodies, so each thread keeps its own.
struct FreeContext {
  void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

ZSTD_CCtx* compressor() {
  thread_local const std::unique_ptr<ZSTD_CCtx, FreeContext> context(ZSTD_createCCtx());
  return context.get();
}

ZSTD_DCtx* decompressor() {
  thread_local const std::unique_ptr<ZSTD_DCtx, FreeContext> context(ZSTD_createDCtx());
  return context.get();
}

std::unexpected<Error> damaged() {
  return fail(ErrorCode::corrupt, "the stored body cannot be read");
}

// The size in a damaged header may be anything, so room is made as bytes come.
Result<std::string_view> decompress(std::string_view bytes, std::string& out) {
  const unsigned long long told = ZSTD_getFrameContentSize(bytes.data(), bytes.size());
  if (told == ZSTD_CONTENTSIZE_ERROR || told == ZSTD_CONTENTSIZE_UNKNOWN || told > kMaxBodyBytes) {
    return damaged();
  }
  out.resize(std::min<std::size_t>(told, kFirstBytes));
  ZSTD_DCtx* context = decompressor();
  if (told <= kFirstBytes) {
    const std::size_t made =
        ZSTD_decompressDCtx(context, out.data(), out.size(), bytes.data(), bytes.size());
    if (ZSTD_isError(made) || made != told) return damaged();
    return out;
  }
  ZSTD_DCtx_reset(context, ZSTD_reset_session_only);
  ZSTD_inBuffer input{bytes.data(), bytes.size(), 0};
  std::size_t made = 0;
  for (;;) {
    ZSTD_outBuffer output{out.data(), out.size(), made};
    const std::size_t left = ZSTD_decompressStream(context, &output, &input);
    if (ZSTD_isError(left)) return damaged();
    const bool stuck = output.pos == made && input.pos == input.size;
    made = output.pos;
    if (left == 0) break;
    if (stuck) return damaged();
    if (made == out.size()) {
      if (out.size() >= told) return damaged();
      out.resize(std::min<std::size_t>(out.size() * 2, told));
    }
  }
  if (made != told || input.pos != input.size) return damaged();
  out.resize(made);
  return out;
}

}  // namespace

std::string pack_body(const json::object& content) {
  std::string clear;
  append_canonical(clear, content);
  if (clear.size() < kWorthPacking) return clear;
  std::string packed(ZSTD_compressBound(clear.size()), '\0');
  const std::size_t size = ZSTD_compressCCtx(compressor(), packed.data(), packed.size(),
                                             clear.data(), clear.size(), kLevel);
  if (ZSTD_isError(size) || size >= clear.size()) return clear;
  packed.resize(size);
  packed.shrink_to_fit();
  return packed;
}

Result<std::string_view> unpack_text(std::string_view bytes, std::string& room) {
  if (bytes.starts_with('{')) return bytes;
  return decompress(bytes, room);
}

Result<json::object> unpack_body(std::string_view bytes) {
  std::string room;
  const Result<std::string_view> text = unpack_text(bytes, room);
  if (!text) return fail(Error(text.error()));
  Result<ParsedJson> parsed = parse_json(*text);
  if (!parsed || !parsed->value.is_object()) return damaged();
  return std::move(parsed->value.get_object());
}

void pack(Batch& batch) {
  batch.bodies.resize(batch.woven.size());
  for (std::size_t i = 0; i < batch.woven.size(); ++i) {
    const std::vector<thought::Thought>& thoughts = batch.woven[i].thoughts;
    std::vector<std::string>& bodies = batch.bodies[i];
    bodies.reserve(thoughts.size());
    for (std::size_t at = bodies.size(); at < thoughts.size(); ++at) {
      bodies.push_back(pack_body(thoughts[at].content));
    }
  }
}

}  // namespace weft::store

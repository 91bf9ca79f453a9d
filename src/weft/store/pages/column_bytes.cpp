#include "weft/store/pages/column_bytes.hpp"

#include <zstd.h>

#include <memory>

namespace weft::store::sql {
namespace {

constexpr char kPlain = 0, kSqueezed = 1;  // on disk
constexpr int kSqueezeLevel = 3;
constexpr std::size_t kWorthSqueezing = 64;
constexpr unsigned long long kMaxUnsqueezed = 1 << 26;

struct FreeSqueezing {
  void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

}  // namespace

std::string squeeze(std::string_view bytes) {
  std::string out(1, kPlain);
  if (bytes.size() >= kWorthSqueezing) {
    // Making one costs more than most columns, so each thread keeps its own.
    thread_local const std::unique_ptr<ZSTD_CCtx, FreeSqueezing> context(ZSTD_createCCtx());
    out.resize(bytes.size());  // nothing that is not shorter is kept
    const std::size_t made = ZSTD_compressCCtx(context.get(), out.data() + 1, out.size() - 1,
                                               bytes.data(), bytes.size(), kSqueezeLevel);
    if (!ZSTD_isError(made)) {
      out.front() = kSqueezed;
      out.resize(1 + made);
      return out;
    }
    out.resize(1);
  }
  return out.append(bytes);
}

Result<std::string> unsqueeze(std::string_view bytes) {
  const auto damaged = [] { return fail(ErrorCode::corrupt, "a packed column cannot be read"); };
  if (bytes.starts_with(kPlain)) return std::string(bytes.substr(1));
  if (!bytes.starts_with(kSqueezed)) return damaged();
  bytes.remove_prefix(1);
  const unsigned long long size = ZSTD_getFrameContentSize(bytes.data(), bytes.size());
  if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN || size > kMaxUnsqueezed) {
    return damaged();
  }
  thread_local const std::unique_ptr<ZSTD_DCtx, FreeSqueezing> context(ZSTD_createDCtx());
  std::string out(static_cast<std::size_t>(size), '\0');
  const std::size_t made =
      ZSTD_decompressDCtx(context.get(), out.data(), out.size(), bytes.data(), bytes.size());
  if (ZSTD_isError(made) || made != out.size()) return damaged();
  return out;
}

}  // namespace weft::store::sql

#include "weft/net/content_coding.hpp"

#include <brotli/decode.h>
#include <fmt/format.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "weft/base/try.hpp"
#include "weft/net/ascii.hpp"

namespace weft::net {
namespace {

using Piece = std::array<char, 64u << 10>;

std::unexpected<Error> invalid() {
  return fail(ErrorCode::invalid_input,
              "the body cannot be decoded: it is not in the coding that Content-Encoding names");
}

Status append(const char* bytes, std::size_t size, std::string& out, std::size_t limit) {
  if (size > limit - std::min(limit, out.size())) {
    return fail(ErrorCode::invalid_input,
                fmt::format("the body is too large: decoded, it has more than {} bytes", limit));
  }
  out.append(bytes, size);
  return {};
}

class Plain final : public Decoder {
 public:
  Status push(std::string_view bytes, std::string& out, std::size_t limit) override {
    return append(bytes.data(), bytes.size(), out, limit);
  }
};

// gzip; deflate with or without the zlib header.
class Zlib final : public Decoder {
 public:
  enum class Kind { gzip, deflate };
  explicit Zlib(Kind kind) : kind_(kind) {}
  ~Zlib() override {
    if (is_open_) ::inflateEnd(&stream_);
  }

  Status push(std::string_view bytes, std::string& out, std::size_t limit) override {
    while (!bytes.empty()) {
      if (!is_open_ && !open(bytes.front())) return invalid();
      stream_.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(bytes.data()));
      stream_.avail_in = static_cast<uInt>(bytes.size());
      int result = Z_OK;
      do {
        stream_.next_out = reinterpret_cast<Bytef*>(piece_.data());
        stream_.avail_out = static_cast<uInt>(piece_.size());
        result = ::inflate(&stream_, Z_NO_FLUSH);
        if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR) return invalid();
        if (Status fine = append(piece_.data(), piece_.size() - stream_.avail_out, out, limit);
            !fine) {
          return fine;
        }
      } while (stream_.avail_out == 0 && result != Z_STREAM_END);
      bytes.remove_prefix(bytes.size() - stream_.avail_in);
      if (result != Z_STREAM_END) continue;
      ::inflateEnd(&stream_);  // another member may follow
      is_open_ = false;
    }
    return {};
  }

 private:
  bool open(char first) {
    stream_ = {};
    constexpr int kGzip = 16 + MAX_WBITS;
    const bool is_framed = (static_cast<unsigned char>(first) & 0x0f) == 8;
    const int bits = kind_ == Kind::gzip ? kGzip : is_framed ? MAX_WBITS : -MAX_WBITS;
    is_open_ = ::inflateInit2(&stream_, bits) == Z_OK;
    return is_open_;
  }

  Kind kind_;
  z_stream stream_{};
  bool is_open_ = false;
  Piece piece_{};
};

class Brotli final : public Decoder {
 public:
  Brotli() : state_(::BrotliDecoderCreateInstance(nullptr, nullptr, nullptr)) {}
  ~Brotli() override { ::BrotliDecoderDestroyInstance(state_); }
  Brotli(const Brotli&) = delete;
  Brotli& operator=(const Brotli&) = delete;

  Status push(std::string_view bytes, std::string& out, std::size_t limit) override {
    std::size_t left = bytes.size();
    const auto* next = reinterpret_cast<const std::uint8_t*>(bytes.data());
    for (;;) {
      std::size_t room = piece_.size();
      auto* at = reinterpret_cast<std::uint8_t*>(piece_.data());
      const BrotliDecoderResult result =
          ::BrotliDecoderDecompressStream(state_, &left, &next, &room, &at, nullptr);
      if (result == BROTLI_DECODER_RESULT_ERROR) return invalid();
      WEFT_TRY(append(piece_.data(), piece_.size() - room, out, limit));
      if (result == BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT) continue;
      const bool has_rest = result == BROTLI_DECODER_RESULT_SUCCESS && left > 0;
      if (has_rest) return invalid();
      return {};
    }
  }

 private:
  BrotliDecoderState* state_;
  Piece piece_{};
};

class Zstd final : public Decoder {
 public:
  Zstd() : stream_(::ZSTD_createDStream()) {
    // The limit of browsers: no body may demand gigabytes of memory.
    ::ZSTD_DCtx_setParameter(stream_, ZSTD_d_windowLogMax, 27);
  }
  ~Zstd() override { ::ZSTD_freeDStream(stream_); }
  Zstd(const Zstd&) = delete;
  Zstd& operator=(const Zstd&) = delete;

  Status push(std::string_view bytes, std::string& out, std::size_t limit) override {
    ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
    for (bool is_full = false; in.pos < in.size || is_full;) {
      ZSTD_outBuffer to{piece_.data(), piece_.size(), 0};
      const std::size_t result = ::ZSTD_decompressStream(stream_, &to, &in);
      if (::ZSTD_isError(result) != 0) return invalid();
      WEFT_TRY(append(piece_.data(), to.pos, out, limit));
      is_full = to.pos == to.size;
    }
    return {};
  }

 private:
  ZSTD_DStream* stream_;
  Piece piece_{};
};

// Several codings, undone one after the other.
class Chain final : public Decoder {
 public:
  explicit Chain(std::vector<std::unique_ptr<Decoder>> links) : links_(std::move(links)) {}

  Status push(std::string_view bytes, std::string& out, std::size_t limit) override {
    std::string before(bytes);
    for (std::size_t i = 0; i < links_.size(); ++i) {
      const bool is_last = i + 1 == links_.size();
      std::string after;
      WEFT_TRY(links_[i]->push(before, is_last ? out : after, limit));
      before = std::move(after);
    }
    return {};
  }

 private:
  std::vector<std::unique_ptr<Decoder>> links_;
};

std::unique_ptr<Decoder> make_decoder(std::string_view name) {
  if (name == "identity") return std::make_unique<Plain>();
  if (name == "gzip" || name == "x-gzip") return std::make_unique<Zlib>(Zlib::Kind::gzip);
  if (name == "deflate") return std::make_unique<Zlib>(Zlib::Kind::deflate);
  if (name == "br") return std::make_unique<Brotli>();
  if (name == "zstd") return std::make_unique<Zstd>();
  return nullptr;
}

}  // namespace

Result<std::unique_ptr<Decoder>> open_decoder(std::string_view encoding) {
  constexpr std::size_t kMostLinks = 4;
  std::vector<std::unique_ptr<Decoder>> links;
  while (!encoding.empty()) {
    const std::size_t comma = encoding.rfind(',');
    std::string name = to_lower(encoding.substr(comma + 1));  // all of it, if there is no comma
    encoding = comma == std::string_view::npos ? std::string_view() : encoding.substr(0, comma);
    std::erase_if(name, [](char c) { return c == ' ' || c == '\t'; });
    if (name.empty()) continue;
    std::unique_ptr<Decoder> one = make_decoder(name);
    if (!one || links.size() == kMostLinks) {
      return fail(ErrorCode::invalid_input,
                  "the body cannot be decoded: Content-Encoding names a coding other than gzip, "
                  "deflate, br "
                  "and zstd, or more than four codings");
    }
    links.push_back(std::move(one));
  }
  if (links.empty()) return std::make_unique<Plain>();
  if (links.size() == 1) return std::move(links.front());
  return std::make_unique<Chain>(std::move(links));
}

}  // namespace weft::net

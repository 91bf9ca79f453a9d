// BLAKE3 of bytes that come in pieces.
//
//   Blake3Stream hash;
//   while (read(piece)) hash.add(piece);
//   if (hash.digest() != expected) …
#pragma once

#include <memory>
#include <string_view>

#include "weft/base/cid.hpp"

namespace weft::crypto {

// Not for secrets: its state is not wiped.
class Blake3Stream {
 public:
  Blake3Stream();
  ~Blake3Stream();
  Blake3Stream(Blake3Stream&&) noexcept;
  Blake3Stream& operator=(Blake3Stream&&) noexcept;

  void add(std::string_view bytes);
  // Of everything added so far; more may be added.
  Digest digest() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace weft::crypto

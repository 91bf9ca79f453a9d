// Tar archives of regular files: written member by member, and read the same way.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "weft/base/result.hpp"

struct archive;

namespace weft::cli {

class TarWriter {
 public:
  // Writes at the position of `fd`, which the caller keeps open.
  static Result<TarWriter> open(int fd);

  // A member of exactly `bytes` bytes: add() them, in any pieces, before the next begin().
  Status begin(const std::string& name, std::uint64_t bytes, std::int64_t modified_at_s);
  Status add(std::string_view piece);
  // The end of the archive. Nothing may follow.
  Status finish();

 private:
  struct Close {
    void operator()(archive* handle) const;
  };
  std::unique_ptr<archive, Close> handle_;
};

class TarReader {
 public:
  // Reads from the position of `fd`, which the caller keeps open.
  static Result<TarReader> open(int fd);

  struct Member {
    std::string name;
    std::uint64_t bytes = 0;
    bool is_regular = false;
  };
  // Empty at the end. invalid_input if it is not a tar archive, or damaged.
  Result<std::optional<Member>> next();
  // The bytes of the current member. Stops with what `take` fails with.
  Status read(const std::function<Status(std::string_view piece)>& take);

 private:
  struct Close {
    void operator()(archive* handle) const;
  };
  std::unique_ptr<archive, Close> handle_;
};

}  // namespace weft::cli

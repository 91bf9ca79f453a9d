// The tokens of people who may use `weft serve`: a file in the home that holds a name, rights and
// the hash of each token, never a token (docs/formats/tokens.md).
#pragma once

#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/base/result.hpp"
#include "weft/base/time.hpp"
#include "weft/crypto/blake3.hpp"
#include "weft/net/rights.hpp"

namespace weft::cli {

struct PersonToken {
  std::string name;  // 1 to 64 letters, digits, "-", "_", "." or "@"
  net::Rights rights{};
  Digest hash{};  // of the token
  Millis created_at = 0;
  friend bool operator==(const PersonToken&, const PersonToken&) = default;
};

inline constexpr std::size_t kMostTokens = 1'000;

// "tokens.json" in the home.
std::filesystem::path token_list_path(const std::filesystem::path& home);

bool is_token_name(std::string_view name);
// A token has 256 random bits, so its hash needs no salt, and cannot be searched for.
Digest hash_of_token(std::string_view token);

// By name. Empty if there is no file. denied if others can read or write it; corrupt if it is not
// such a file.
Result<std::vector<PersonToken>> read_token_list(const std::filesystem::path& path);
Status write_token_list(const std::filesystem::path& path, const std::vector<PersonToken>& tokens);

// The list as a running server uses it: a change of the file holds from the next request on. If the
// file cannot be read any more, nobody in it is admitted. May be used from any thread.
class WatchedTokens {
 public:
  // `warn` is called once for each state of the file that cannot be read.
  WatchedTokens(std::filesystem::path path, std::function<void(const Error&)> warn)
      : path_(std::move(path)), warn_(std::move(warn)) {}

  // What the person with this token may do; empty if nobody has it. Takes the same time for every
  // token of a length, whether or not somebody has it.
  std::optional<net::Rights> find(std::string_view token);

 private:
  // What changes when a file is written or replaced.
  struct State {
    bool exists = false;
    std::uint64_t device = 0, inode = 0, size = 0;
    std::int64_t modified_ns = 0, changed_ns = 0;
    friend bool operator==(const State&, const State&) = default;
  };
  State look() const;

  const std::filesystem::path path_;
  const std::function<void(const Error&)> warn_;
  std::mutex mutex_;
  std::optional<State> state_;       // guarded by mutex_: of the file that was read
  std::vector<PersonToken> tokens_;  // guarded by mutex_
};

}  // namespace weft::cli

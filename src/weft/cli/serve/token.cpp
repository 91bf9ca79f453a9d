#include "weft/cli/serve/token.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>

#include "weft/base/file.hpp"
#include "weft/base/hex.hpp"
#include "weft/base/posix.hpp"
#include "weft/crypto/secret.hpp"

namespace weft::cli {
namespace {

constexpr std::size_t kFewestCharacters = 16;
constexpr std::size_t kMostCharacters = 1024;

std::unexpected<Error> refused(ErrorCode code, const std::filesystem::path& path,
                               std::string_view why) {
  return fail(code, "reading the token in " + path.string() + ": " + std::string(why));
}

// The open file is checked, so that it is what is read.
Result<std::string> read_private(const std::filesystem::path& path) {
  const Fd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file) {
    const ErrorCode code = errno == ENOENT ? ErrorCode::not_found : ErrorCode::denied;
    return refused(code, path, std::generic_category().message(errno));
  }
  if (Status status = check_private(file.get(), path); !status) {
    return refused(status.error().code, path, status.error().message);
  }
  std::array<char, kMostCharacters + 3> bytes{};
  const ssize_t size = ::read(file.get(), bytes.data(), bytes.size());
  if (size < 0) return refused(ErrorCode::unavailable, path, "it cannot be read");
  std::string text(bytes.data(), static_cast<std::size_t>(size));
  if (text.ends_with('\n')) text.pop_back();
  if (text.ends_with('\r')) text.pop_back();
  const bool visible = std::ranges::all_of(text, [](char c) { return '!' <= c && c <= '~'; });
  if (!visible || text.size() < kFewestCharacters || text.size() > kMostCharacters) {
    return refused(ErrorCode::invalid_input, path,
                   "expected 16 to 1,024 visible characters on one line");
  }
  return text;
}

}  // namespace

Result<Token> read_or_make_token(const std::filesystem::path& path) {
  Result<std::string> text = read_private(path);
  if (text) return Token{.text = *std::move(text)};
  if (text.error().code != ErrorCode::not_found) return fail(std::move(text).error());
  const std::string made = to_hex(crypto::Key::random().bytes()) + "\n";
  if (Status written = write_file_atomically(path, made, 0600); !written) {
    return fail(std::move(written).error().within("creating a token"));
  }
  // Two processes may have created one at the same time; the present file holds for both.
  text = read_private(path);
  if (!text) return fail(std::move(text).error());
  return Token{.text = *std::move(text), .made = true};
}

}  // namespace weft::cli

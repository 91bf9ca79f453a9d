#include "weft/secrets/placeholder.hpp"

#include <algorithm>
#include <array>
#include <bitset>
#include <string>

#include "weft/base/ascii.hpp"

namespace weft::secrets {
namespace {

constexpr std::array<std::string_view, 11> kWords = {
    "example", "placeholder", "xxxx",     "your_",    "yourtoken", "your-",
    "dummy",   "redacted",    "changeme", "deadbeef", "notareal"};

constexpr std::array<std::string_view, 26> kPasswords = {
    "password",  "passwd",   "pass",    "pwd",    "pw",     "secret", "changeme",
    "change_me", "example",  "admin",   "root",   "guest",  "user",   "test",
    "token",     "postgres", "mysql",   "mongo",  "redis",  "rabbit", "dev",
    "local",     "default",  "hunter2", "qwerty", "letmein"};

// Six characters in a row, each the one before plus the same step of -1, 0 or 1.
bool has_run(std::string_view text) {
  constexpr int kRun = 6;
  int step = 2, length = 1;
  for (std::size_t i = 1; i < text.size(); ++i) {
    const int now = text[i] - text[i - 1];
    length = now == step ? length + 1 : 2;
    step = now;
    if (length >= kRun && step >= -1 && step <= 1) return true;
  }
  return false;
}

// The text is one piece, over and over.
bool is_repeated(std::string_view text) {
  for (std::size_t piece = 1; piece <= text.size() / 2 && piece <= 16; ++piece) {
    if (std::equal(text.begin() + static_cast<std::ptrdiff_t>(piece), text.end(), text.begin())) {
      return true;
    }
  }
  return false;
}

std::size_t count_different(std::string_view text) {
  std::bitset<256> seen;
  for (const char c : text) seen.set(static_cast<unsigned char>(c));
  return seen.count();
}

}  // namespace

bool is_placeholder(std::string_view token) {
  constexpr std::size_t kFewest = 6;
  // Long tokens contain everything by chance, and binary data has zeros in a row.
  constexpr std::size_t kLong = 128;
  if (token.size() > kLong) return count_different(token) < kFewest;
  const std::string lower = to_lower(token);
  const bool has_word = std::ranges::any_of(
      kWords, [&](std::string_view word) { return lower.find(word) != std::string::npos; });
  return has_word || has_run(lower) || is_repeated(lower) || count_different(lower) < kFewest;
}

bool is_placeholder_password(std::string_view password) {
  constexpr std::size_t kShortest = 4;
  if (password.size() < kShortest || count_different(password) < 3) return true;
  if (password.find_first_of("$<>{}*[]%") != std::string_view::npos) return true;
  const std::string lower = to_lower(password);
  if (std::ranges::find(kPasswords, lower) != kPasswords.end()) return true;
  return lower.starts_with("my") || lower.starts_with("your") ||
         lower.find("...") != std::string::npos ||
         std::ranges::any_of(
             kWords, [&](std::string_view word) { return lower.find(word) != std::string::npos; });
}

}  // namespace weft::secrets

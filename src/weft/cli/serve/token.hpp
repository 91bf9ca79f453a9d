// The word that clients of `weft serve` show, in a file of its own.
#pragma once

#include <filesystem>
#include <string>

#include "weft/base/result.hpp"

namespace weft::cli {

struct Token {
  std::string text;
  bool made = false;  // by us, just now
};

// The token in that file, which only its owner can get at: denied if it lets others. Where there
// is no file, one is made with 256 random bits. invalid_input if what is there is no token: at
// least 16 visible characters, on one line.
Result<Token> read_or_make_token(const std::filesystem::path& path);

}  // namespace weft::cli

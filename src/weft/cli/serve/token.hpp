// The token that clients of `weft serve` send, in a file of its own.
#pragma once

#include <filesystem>
#include <string>

#include "weft/base/result.hpp"

namespace weft::cli {

struct Token {
  std::string text;
  bool made = false;  // created by this call
};

// Reads the token in that file, which only its owner may access: otherwise denied. If there is no
// file, creates one with 256 random bits. invalid_input if the file does not contain a token: at
// least 16 visible characters, on one line.
Result<Token> read_or_make_token(const std::filesystem::path& path);

}  // namespace weft::cli

// Copies that removing something from the store does not reach: the files of other tools, and what
// no store knows of.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "weft/cli/app/context.hpp"

namespace weft::cli {

inline constexpr std::array<std::string_view, 5> kNotReached = {
    "session logs (weft watch --log)", "exports", "backups", "remotes", "other machines"};

// The file that a source was read from.
struct SourceFile {
  std::string path;
  bool exists = false;  // its tool may have deleted it
};
SourceFile file_of(const crypto::Keyring& keyring, const store::Source& source);

// One line for each file that still exists, and one for all other copies.
void print_not_reached(const Context& context, const std::vector<SourceFile>& files);

}  // namespace weft::cli

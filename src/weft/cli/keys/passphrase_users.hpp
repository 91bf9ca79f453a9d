// Finds the programs of this user that start weft where nobody can type a passphrase: hooks, MCP
// clients and systemd units.
#pragma once

#include <string>
#include <vector>

#include "weft/cli/app/home.hpp"

namespace weft::cli {

struct PassphraseUser {
  std::string_view kind;  // "hook", "mcp" or "unit"
  std::string name;       // "Claude Code", "weft.service"
  std::string path;       // of its configuration
};

// Those whose configuration starts weft and does not name WEFT_PASSPHRASE_FILE. Files that cannot
// be read are skipped.
std::vector<PassphraseUser> passphrase_users(const Environment& environment);

}  // namespace weft::cli

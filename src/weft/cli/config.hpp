// The home's configuration: config.json beside the keyring, written by hand.
//
//   {"include": ["~/work/", "weft"], "exclude": ["*secret*"], "subagents": true,
//    "human": "Ada", "roots": ["~/transcripts"]}
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "weft/base/result.hpp"
#include "weft/cli/home.hpp"
#include "weft/ingest/selection.hpp"

namespace weft::cli {

struct Config {
  ingest::Selection selection{};       // include, exclude, subagents
  std::optional<std::string> human{};  // whose words a person's words are, if not the owner's
  // Further folders with transcripts of any format, beside those where tools keep theirs.
  std::vector<std::string> roots{};
};

// What `home`/config.json says; all defaults where there is none. invalid_input, naming the
// file and the member, if it says something that means nothing.
Result<Config> read_config(const Home& home, const Environment& environment);

// "~/x" as the shell would have it.
std::string with_home(std::string_view path, const Environment& environment);

}  // namespace weft::cli

// The home's configuration: config.json beside the keyring, written by hand.
//
//   {"include": ["~/work/", "weft"], "exclude": ["*secret*"], "subagents": true,
//    "human": "Ada", "roots": ["~/transcripts"], "index_sealed": false}
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "weft/base/result.hpp"
#include "weft/cli/app/home.hpp"
#include "weft/ingest/discover/selection.hpp"

namespace weft::cli {

struct Config {
  ingest::Selection selection{};       // include, exclude, subagents
  std::optional<std::string> human{};  // whose words a person's words are, if not the owner's
  // Further folders with transcripts of any format, beside those where tools keep theirs.
  std::vector<std::string> roots{};
  // Whether sealed text can be searched by whoever holds its key. It is indexed without its words
  // and their order; how often an unknown word stands where can still be seen. If this is false it
  // is left out; what was indexed before goes with the next weft reindex.
  bool index_sealed = true;
};

// What `home`/config.json says; all defaults where there is none. invalid_input, naming the
// file and the member, if it says something that means nothing.
Result<Config> read_config(const Home& home, const Environment& environment);

// "~/x" as the shell would have it.
std::string with_home(std::string_view path, const Environment& environment);

}  // namespace weft::cli

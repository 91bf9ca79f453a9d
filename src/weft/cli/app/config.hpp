// The configuration of a home: config.json beside the keyring, written by hand.
//
//   {"include": ["~/work/", "weft"], "exclude": ["*secret*"], "subagents": true,
//    "human": "Ada", "roots": ["~/transcripts"], "index_sealed": false,
//    "prices": {"my-model": {"input": 3, "output": 15}},
//    "remotes": {"team": {"url": "folder:~/Sync/weft", "projects": ["weft*"], "sync": true}}}
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "weft/base/json.hpp"
#include "weft/base/result.hpp"
#include "weft/cli/app/home.hpp"
#include "weft/cli/app/remote_config.hpp"
#include "weft/ingest/discover/selection.hpp"

namespace weft::cli {

struct Config {
  ingest::Selection selection{};       // include, exclude, subagents
  std::optional<std::string> human{};  // the name of the person in transcripts, if not the owner's
  // Further folders with transcripts of any format, beside those of the known tools.
  std::vector<std::string> roots{};
  // Whether sealed text is indexed, so that holders of its key can search it. The index contains
  // keyed hashes, neither words nor their order, but shows how often an unknown word occurs. If
  // false, sealed text is not indexed; weft reindex removes what was indexed before.
  bool index_sealed = true;
  // Prices of models that override all others (query/cost/load_prices.hpp).
  json::object prices{};
  std::vector<RemoteConfig> remotes{};
};

// Reads `home`/config.json; all defaults if the file does not exist. invalid_input, naming the
// file, the line and the member, if a member is unknown or has a wrong value, and for a file that
// is not a regular one.
Result<Config> read_config(const Home& home, const Environment& environment);

// Expands "~/x" as a shell does.
std::string with_home(std::string_view path, const Environment& environment);

}  // namespace weft::cli

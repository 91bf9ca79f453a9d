// Where conversations are looked for: --source, --pattern, the home's configuration, and the
// places of every tool. For every command that takes conversations in.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "weft/cli/app/arguments.hpp"
#include "weft/cli/app/context.hpp"
#include "weft/ingest/ingest.hpp"

namespace weft::cli {

struct SourceOptions {
  std::vector<std::string> sources;  // "format:directory"
  std::optional<std::string> pattern;

  void add_to(Arguments& arguments);
};

// What to take in: `paths` if there are any, and the folders of `where`; where it names
// neither, every known place. Refused if the configuration cannot be read.
Asked<ingest::Options> options_for(const Context& context, const SourceOptions& where,
                                   const std::vector<std::string>& paths);
// What to follow: likewise, with the places that are not there yet.
Asked<ingest::Options> options_to_follow(const Context& context, const SourceOptions& where);
// The lock file of those who follow it. Whoever follows something else than the known places has
// another one: the one who holds it takes in nothing for them.
std::filesystem::path lock_for(const Context& context, const SourceOptions& where);

// Why nobody can be called that, for an option that names a person or a model; empty if it is fine.
std::string why_no_name(const std::string& name);

// How far it has come, with rate and time left, for a terminal's line.
std::string shown(const ingest::Progress& progress, std::int64_t elapsed_ms);

}  // namespace weft::cli

// The options that select sources: --source, --pattern, the home's configuration, and the default
// folders of every tool. For every command that ingests.
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

// Options to ingest `paths`, if any, and the folders of `where`; if neither names anything, all
// known folders. Refused if the configuration cannot be read.
Outcome<ingest::Options> options_for(const Context& context, const SourceOptions& where,
                                     const std::vector<std::string>& paths);
// Options to follow: the same, including folders that do not exist yet.
Outcome<ingest::Options> options_to_follow(const Context& context, const SourceOptions& where);
// The lock file of the processes that follow these sources. Other sources than the default ones
// have another lock file, because the holder of one lock does not ingest for the other.
std::filesystem::path lock_for(const Context& context, const SourceOptions& where);

// Why `name` is not valid as the name of a person or a model; empty if it is.
std::string why_no_name(const std::string& name);

// Formats the progress with rate and time left, for one line of a terminal.
std::string shown(const ingest::Progress& progress, std::int64_t elapsed_ms);

}  // namespace weft::cli

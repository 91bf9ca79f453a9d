#include "weft/cli/ingest/source_options.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "weft/base/hex.hpp"
#include "weft/cli/app/config.hpp"
#include "weft/cli/render/figures.hpp"
#include "weft/crypto/blake3.hpp"

namespace weft::cli {
namespace {

std::string known_formats() {
  std::string known;
  for (const formats::Adapter* adapter : formats::all_adapters()) {
    known += (known.empty() ? "" : ", ") + std::string(adapter->name);
  }
  return known;
}

std::string check_source(const std::string& text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos || colon + 1 == text.size()) {
    return "expected FORMAT:DIR, for example claude-code:~/.claude/projects";
  }
  const std::string format = text.substr(0, colon);
  if (formats::find_adapter(format) != nullptr) return {};
  return "unknown format '" + format + "'; known formats: " + known_formats();
}

}  // namespace

void SourceOptions::add_to(Arguments& arguments) {
  arguments.add("--source", sources,
                "Folder with conversations of a format; may be repeated (default: the folders of "
                "all known tools)",
                {.value = "F:DIR", .check = check_source});
  arguments.add("--pattern", pattern, "Only projects whose name matches (*, ? and [a-z])",
                {.value = "GLOB"});
}

namespace {

using FindFolders = std::vector<ingest::Folder> (*)(const formats::Environment&);

Outcome<ingest::Options> options_with(const Context& context, const SourceOptions& where,
                                      const std::vector<std::string>& paths,
                                      FindFolders find_folders) {
  Result<Config> config = read_config(context.home(), context.environment());
  if (!config) return refuse(std::move(config).error(), "correct or remove the file");
  ingest::Options options{.paths = {paths.begin(), paths.end()},
                          .selection = config->selection,
                          .human = config->human,
                          .index_sealed = config->index_sealed,
                          .clock = now};
  options.selection.pattern = where.pattern;
  for (const std::string& source : where.sources) {
    const std::size_t colon = source.find(':');
    options.folders.push_back(
        {formats::find_adapter(source.substr(0, colon)),
         with_home(std::string_view(source).substr(colon + 1), context.environment())});
  }
  if (!paths.empty() || !where.sources.empty()) return options;
  options.folders = find_folders([](std::string_view name) {
    const char* value = std::getenv(std::string(name).c_str());
    if (value == nullptr || *value == '\0') return std::optional<std::string>();
    return std::optional<std::string>(value);
  });
  for (const std::string& root : config->roots) options.folders.push_back({nullptr, root});
  return options;
}

}  // namespace

Outcome<ingest::Options> options_for(const Context& context, const SourceOptions& where,
                                     const std::vector<std::string>& paths) {
  return options_with(context, where, paths, ingest::known_folders);
}

Outcome<ingest::Options> options_to_follow(const Context& context, const SourceOptions& where) {
  return options_with(context, where, {}, ingest::possible_folders);
}

std::filesystem::path lock_for(const Context& context, const SourceOptions& where) {
  std::string which;
  for (const std::string& source : where.sources) which += source + '\0';
  if (where.pattern) which += '\0' + *where.pattern;
  const std::string tag = which.empty() ? "" : "." + to_hex(crypto::blake3(which)).substr(0, 8);
  return context.home().store.file(tag + ".lock");
}

std::string why_no_name(const std::string& name) {
  const Status fine = crypto::Keyring::check_owner_name(name);
  return fine ? std::string() : fine.error().message;
}

std::string shown(const ingest::Progress& progress, std::int64_t elapsed_ms) {
  const std::uint64_t percent =
      progress.bytes_total == 0
          ? 100
          : std::min<std::uint64_t>(100, progress.bytes * 100 / progress.bytes_total);
  std::string text = fmt::format("ingesting: {} of {}, {} of {} ({} %)", count(progress.files),
                                 count(progress.files_total, "file"), byte_size(progress.bytes),
                                 byte_size(progress.bytes_total), percent);
  if (elapsed_ms <= 0 || progress.bytes == 0) return text;
  const double rate = static_cast<double>(progress.bytes) / static_cast<double>(elapsed_ms);
  text += fmt::format(", {}/s", byte_size(static_cast<std::uint64_t>(rate * 1000)));
  if (progress.bytes < progress.bytes_total) {
    const double left = static_cast<double>(progress.bytes_total - progress.bytes) / rate;
    text += fmt::format(", {} left", duration(static_cast<std::int64_t>(left / 1000) * 1000));
  }
  return text;
}

}  // namespace weft::cli

#include "weft/cli/hand/not_reached.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>

#include "weft/cli/render/text.hpp"
#include "weft/ingest/source/source_seal.hpp"

namespace weft::cli {

SourceFile file_of(const crypto::Keyring& keyring, const store::Source& source) {
  SourceFile file{.path = "(a file whose name the keyring cannot open)"};
  const Result<ingest::SourceDescription> about = ingest::open_description(keyring, source);
  if (!about) return file;
  file.path = about->path;
  std::error_code ignored;
  file.exists = std::filesystem::exists(file.path, ignored);
  return file;
}

void print_not_reached(const Context& context, const std::vector<SourceFile>& files) {
  for (const SourceFile& file : files) {
    if (file.exists) context.print(fmt::format("  not reached: {}\n", on_one_line(file.path)));
  }
  context.print(fmt::format("  not reached: {}: delete what was made of it before\n",
                            fmt::join(kNotReached, ", ")));
}

}  // namespace weft::cli

// Files whose first lines are broken. Recognition looks at the first lines of a file, and a torn
// write or a disk error may have left anything there. In a folder of a format, a later line that
// the format recognises is enough: the broken lines are then reported one by one, and the good ones
// are read.
#pragma once

#include <optional>
#include <string>

#include "weft/formats/adapter.hpp"
#include "weft/ingest/source/source_file.hpp"

namespace weft::ingest {

// How far into a file recognition looks for a good line.
inline constexpr std::uint64_t kMaxBrokenBytes = 256u << 20;

// The adapter in whose folders on this machine a file lies; null if in none.
const formats::Adapter* adapter_of_place(const std::string& path);

// The beginning of the first lines that `adapter` recognises, kHeadBytes at most; empty if there
// are none, or the format does not grow by lines. Reads kHeadBytes at a time, whatever the lines
// are.
Result<std::optional<std::string>> find_readable_part(const SourceFile& file,
                                                      const formats::Adapter& adapter);

}  // namespace weft::ingest

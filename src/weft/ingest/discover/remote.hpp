// Network file systems: inotify does not report what another machine writes there, and locks do not
// hold.
#pragma once

#include <cstdint>
#include <filesystem>

namespace weft::ingest {

// Whether `path`, which exists, is on one.
bool is_remote(const std::filesystem::path& path);
// The same by the f_type of statfs(2).
bool is_remote_type(std::uint32_t type);

}  // namespace weft::ingest

#include "weft/ingest/discover/remote.hpp"

#include <sys/statfs.h>

#include <algorithm>
#include <array>

namespace weft::ingest {

bool is_remote_type(std::uint32_t type) {
  // NFS, SMB, CIFS, SMB2, 9P, Ceph, AFS: the numbers of statfs(2).
  constexpr std::array<std::uint32_t, 7> kRemote = {0x6969,     0x517B,     0xFF534D42, 0xFE534D42,
                                                    0x01021997, 0x00C36400, 0x5346414F};
  return std::ranges::find(kRemote, type) != kRemote.end();
}

bool is_remote(const std::filesystem::path& path) {
  struct statfs about{};
  return ::statfs(path.c_str(), &about) == 0 &&
         is_remote_type(static_cast<std::uint32_t>(about.f_type));
}

}  // namespace weft::ingest

#include "weft/mcp/protocol/protocol.hpp"

#include <algorithm>

namespace weft::mcp {

bool is_legacy_version(std::string_view version) {
  return std::ranges::find(kLegacyVersions, version) != kLegacyVersions.end();
}

}  // namespace weft::mcp

// Bodies: a thought's clear content as every store keeps it. Canonical JSON, or one zstd
// frame of it where that is smaller; the first byte tells which.
#pragma once

#include <string>
#include <string_view>

#include "weft/base/json.hpp"

namespace weft::store {

// Safe from any thread.
std::string pack_body(const json::object& content);
// The canonical JSON: `bytes` themselves, or unpacked into `room`, which may be used again and
// again. corrupt if it does not unpack, or to more than 1 GiB.
Result<std::string_view> unpack_text(std::string_view bytes, std::string& room);
// corrupt too if it is no JSON object.
Result<json::object> unpack_body(std::string_view bytes);

}  // namespace weft::store

// Bodies: a thought's clear content as every store keeps it. Canonical JSON, or one zstd
// frame of it where that is smaller; the first byte tells which.
#pragma once

#include <string>
#include <string_view>

#include "weft/base/json.hpp"
#include "weft/thought/thought.hpp"

namespace weft::store {

// Safe from any thread.
std::string pack_body(const json::object& content);
// As far as it goes without the store: turns stay JSON, for once ids are known there is a
// shorter way for them. `text` is the content's canonical JSON. Safe from any thread.
std::string pack_ahead(const thought::Thought& thought, std::string_view text);
std::string pack_ahead(const thought::Thought& thought);
// The canonical JSON: `bytes` themselves, or unpacked into `room`, which may be used again and
// again. corrupt if it does not unpack, or to more than 1 GiB.
Result<std::string_view> unpack_text(std::string_view bytes, std::string& room);
// A body's text as JSON. corrupt if it is no object.
Result<json::object> parse_body(std::string_view text);
// corrupt too if it is no JSON object.
Result<json::object> unpack_body(std::string_view bytes);

}  // namespace weft::store

// Bodies: the clear content of a thought as stores keep it: canonical JSON, or one zstd frame of it
// if that is smaller. The first byte tells which.
#pragma once

#include <string>
#include <string_view>

#include "weft/base/json.hpp"
#include "weft/crypto/keyring.hpp"
#include "weft/thought/thought.hpp"

namespace weft::store {

// The canonical JSON of a thought's clear content.
std::string body_text(const json::object& content);
// The plaintext of a thought: canonical JSON of its clear content, then of each layer that the
// keyring opens.
std::string plaintext_of(const thought::Thought& thought, const crypto::Keyring* keyring);

// Any thread may call it.
std::string pack_body(const json::object& content);
// Packs as far as possible without the store: turns stay JSON, because they are shorter once ids
// are known. `text` is the content's canonical JSON. Any thread may call it.
std::string pack_ahead(const thought::Thought& thought, std::string_view text);
std::string pack_ahead(const thought::Thought& thought);
// The canonical JSON of a packed body: `bytes` themselves, or unpacked into `room`, which can be
// reused. corrupt if it does not unpack, or unpacks to more than 1 GiB.
Result<std::string_view> unpack_text(std::string_view bytes, std::string& room);
// A body's text as JSON. corrupt if it is not an object.
Result<json::object> parse_body(std::string_view text);
// Both in one.
Result<json::object> unpack_body(std::string_view bytes);

}  // namespace weft::store

// The content of Anthropic's messages: from JSON text to blocks, with every part that cannot be
// read reported to the sink.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/formats/apis/anthropic/blocks.hpp"
#include "weft/formats/framing/json_pieces.hpp"
#include "weft/transcript/conversation.hpp"

namespace weft::formats::anthropic {

// The blocks that one role contributes at once: a message of the API, a section of a transcript.
struct Section {
  struct Item {
    std::uint32_t index = 0;  // its position in the section's array
    ParsedBlock block;
  };
  transcript::Role role = transcript::Role::human;
  std::optional<std::string> model, message_id;
  std::optional<Millis> recorded;
  std::vector<Item> items;
  std::optional<std::string> sent_as{};  // the role of a message, where it is one of an API's
};

// The role of "Human", "user", "assistant"…, in any case; empty for any other label.
std::optional<transcript::Role> role_of(std::string_view label);

// The blocks of a section's content: an array, one block, or a string. Of a broken array, the
// whole elements are returned and each other one is reported as skipped.
std::vector<Section::Item> parse_content(std::string_view content, std::uint64_t line,
                                         transcript::Sink& sink, ParseBlock parse = parse_block);
// The same for an array cut into pieces.
std::vector<Section::Item> parse_pieces(const std::vector<JsonPiece>& pieces, std::uint64_t line,
                                        transcript::Sink& sink, ParseBlock parse = parse_block);
// The same for content that was parsed whole and exactly.
std::vector<Section::Item> items_of(const json::value& content, std::uint64_t line,
                                    transcript::Sink& sink, ParseBlock parse = parse_block);

}  // namespace weft::formats::anthropic

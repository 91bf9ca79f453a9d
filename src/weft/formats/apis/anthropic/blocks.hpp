// Anthropic's content blocks, from JSON and back. Transcripts, claude.ai exports, Claude
// Code sessions and API bodies all contain them; their authors differ, so adapters set those.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "weft/base/json.hpp"
#include "weft/base/time.hpp"
#include "weft/transcript/block.hpp"

namespace weft::formats::anthropic {

struct ParsedBlock {
  transcript::Body body;
  std::optional<Millis> start, stop;
  std::optional<std::string> model;
  std::optional<json::object> extra{};  // as Block::extra, if our own transcript has it
};
using ParseBlock = ParsedBlock (*)(const json::value& block);

// Never fails: a bare string is text; a block of an unknown type, or without a member that its
// type requires, is Unknown and keeps everything. Members that only describe how a block was
// shown (flags, icons, cache_control) are not kept.
ParsedBlock parse_block(const json::value& block);

// A block whose JSON no value can hold (ParsedJson::inexact).
transcript::Unknown unknown_from_text(const json::value& block, std::string_view text);

// The block as JSON on one line, or as the text that an Unknown keeps. Reads back to
// the same body and times; `block.model` is written only with WithModel::yes.
enum class WithModel { no, yes };
void append_block(std::string& out, const transcript::Block& block, WithModel with_model);

// JSON on one line, in the value's order. Unlike the canonical form it distinguishes a double
// from an integer ("1.0"), so that it reads back to an equal value.
void append_json(std::string& out, const json::value& value);

// Images, documents and files. Empty if the source has no known shape.
std::optional<transcript::Attachment> parse_attachment(std::string_view kind,
                                                       const json::object& block);
json::object attachment_json(const transcript::Attachment& attachment);

}  // namespace weft::formats::anthropic

// Parses one record of a transcript, in either form, into sections.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "weft/formats/adapters/anthropic_transcript/transcript.hpp"

namespace weft::formats::anthropic {

// Receives a line "Key: value" about the whole transcript, with its normal_key(). False if the key
// is unknown.
using OnMetadata =
    std::function<bool(std::string_view key, std::string_view value, std::uint64_t line)>;
using OnSection = std::function<void(Section)>;

// The text form. A record is one section as a rule, or more where separators are
// missing. A section that cannot be read is reported to `sink` as skipped and has no items.
void parse_sections(const Record& record, const OnMetadata& metadata, const OnSection& section,
                    transcript::Sink& sink);

// The JSON form: {role or sender, content, model?, created_at?}. A turn that cannot be read is
// reported to `sink` as skipped and has no items.
Section parse_turn(const Record& record, transcript::Sink& sink);

}  // namespace weft::formats::anthropic

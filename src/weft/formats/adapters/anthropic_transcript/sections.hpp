// One record of a transcript, in either form, as sections.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "weft/formats/adapters/anthropic_transcript/transcript.hpp"

namespace weft::formats::anthropic {

// A line "Key: value" that says something of the whole transcript; the key is normal.
// False if the key means nothing.
using OnMetadata =
    std::function<bool(std::string_view key, std::string_view value, std::uint64_t line)>;
using OnSection = std::function<void(Section)>;

// The text form. A record is one section as a rule, or more where separators are
// missing. A section that cannot be read is told to `sink` and has no items.
void parse_sections(const Record& record, const OnMetadata& metadata, const OnSection& section,
                    transcript::Sink& sink);

// The JSON form: {role or sender, content, model?, created_at?}. What cannot be read is
// told to `sink` and has no items.
Section parse_turn(const Record& record, transcript::Sink& sink);

}  // namespace weft::formats::anthropic

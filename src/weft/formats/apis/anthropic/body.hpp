// Bodies of the Messages API as logs keep them: events, responses, requests, pairs of these,
// results of batches, and single messages of a list.
#pragma once

#include <optional>
#include <string_view>

#include "weft/base/time.hpp"
#include "weft/formats/reading/partial_object.hpp"

namespace weft::formats::anthropic {

using LoggedBody = PartialObject;

enum class Shape { event, response, request, pair, batch, message, other };
Shape shape_of(const LoggedBody& body);

// The time that the log gives it; empty if it gives none.
std::optional<Millis> time_of(const LoggedBody& body);

// Whether a stream has events of that type.
bool is_event(std::string_view type);
// Whether `text` is an event at first sight: nearly always its type comes before all else.
bool begins_as_event(std::string_view text);

}  // namespace weft::formats::anthropic

// Makes a model request of the four counts that readers add up for a conversation.
#pragma once

#include "weft/transcript/conversation.hpp"

namespace weft::formats {

// Whether the input that a source counts includes what came from a cache: so it is with OpenAI and
// Google, not with Anthropic.
enum class CachedInput { included, apart };

// A request with these counts; its names, model and time are for the caller to add.
inline transcript::Request to_request(const transcript::Usage& usage, CachedInput cached) {
  transcript::Request request;
  if (cached == CachedInput::included) {
    request.tokens = transcript::tokens_with_cache_inside(usage.input, usage.output,
                                                          usage.cache_read, usage.cache_write, 0);
    if (request.tokens.input != usage.input) request.stated_input = usage.input;
  } else {
    request.tokens = {.input = usage.input,
                      .output = usage.output,
                      .cache_read = usage.cache_read,
                      .cache_write_5m = usage.cache_write};
  }
  return request;
}

}  // namespace weft::formats

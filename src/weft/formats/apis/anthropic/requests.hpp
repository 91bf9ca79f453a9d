// Model requests in messages of the Anthropic API: the counts of a "usage" object, with cache
// writes by how long they are kept.
#pragma once

#include <vector>

#include "weft/base/json.hpp"
#include "weft/transcript/request.hpp"

namespace weft::formats::anthropic {

// Cache writes come from `cache_creation`, where it is there; the flat count is ignored then.
transcript::Tokens tokens_of(const json::object& usage);

// The same of all iterations that `usage` lists: with compactions and advisors the numbers beside
// them leave those out.
transcript::Tokens all_tokens_of(const json::object& usage);

// The request that `message` answers: its id, model, counts, tier and speed.
transcript::Request request_of(const json::object& message, const json::object& usage);

// The requests to other models that are listed in `usage` as advice. Each message_id is a suffix
// for that of the message.
std::vector<transcript::Request> advisor_requests(const json::object& usage);

}  // namespace weft::formats::anthropic

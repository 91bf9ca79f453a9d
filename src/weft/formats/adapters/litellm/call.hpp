// Parses one call of a LiteLLM log, in any of its shapes: the request and the answer. Keys,
// addresses and names of people, which LiteLLM logs with every call, are left out.
//
//   {"id":…,"call_type":"acompletion","response_cost":…,"messages":[…],"response":{…}}  a callback
//   {"request_id":…,"call_type":…,"spend":…,"messages":…,"proxy_server_request":…}    a database
//   row
//   {"type":"generation-create","body":{"traceId":…,"input":…,"output":…}}             for Langfuse
#pragma once

#include <optional>
#include <string>

#include "weft/formats/apis/openai/bodies.hpp"

namespace weft::formats::litellm {

inline constexpr std::string_view kName = "litellm";

struct Call {
  openai::Request request;
  openai::Answer answer;
  std::optional<Millis> start, stop;
};

// Why a record is skipped: it is of another endpoint, or repeats another record. Empty if it is
// read.
std::string reason_to_skip(const json::object& record);

// Of a record that there is no reason to skip.
Call parse_call(const json::object& record);

}  // namespace weft::formats::litellm

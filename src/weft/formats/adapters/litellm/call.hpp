// One call in a log of LiteLLM's, whatever shape it was logged in: what was asked, and what came
// of it. Keys, addresses and names of people, which LiteLLM logs with every call, are left out.
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

// Why a record is none that is told: of another endpoint, or says what another one says.
// Empty if it is told.
std::string reason_to_skip(const json::object& record);

// Of a record that there is no reason to skip.
Call parse_call(const json::object& record);

}  // namespace weft::formats::litellm

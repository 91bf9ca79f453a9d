// The calls of a message. A call and what came back from it are one object, which is written
// again while it runs:
//
//   {"id":…,"name":…,"args":{…},"status":"executing"}
//   {"id":…,"name":…,"args":{…},"status":"success","result":[{"functionResponse":{…}}],
//    "resultDisplay":…,"timestamp":…}
#include <algorithm>
#include <utility>

#include "weft/formats/adapters/gemini/message.hpp"
#include "weft/formats/reading/members.hpp"

namespace weft::formats::gemini {
namespace {

using transcript::Author;
using transcript::ToolCall;
using transcript::ToolResult;

// The response to the call `id`; a list may hold those to its neighbours too.
ToolResult response_in(const json::value& given, std::string_view id) {
  google::Parts parts = google::parse_parts(given, Author::human);
  ToolResult* own = nullptr;
  ToolResult* first = nullptr;
  std::size_t count = 0;
  for (AuthoredBlock& block : parts.blocks) {
    auto* result = std::get_if<ToolResult>(&block.body);
    if (result == nullptr) continue;
    ++count;
    if (first == nullptr) first = result;
    if (own == nullptr && result->call_id == id) own = result;
  }
  if (own != nullptr && count > 1) return std::move(*own);
  ToolResult result;
  if (first != nullptr) result = std::move(*first);
  const std::string more = google::text_of(parts.blocks);
  if (!more.empty()) result.text += (result.text.empty() ? "" : "\n") + more;
  if (parts.blocks.size() > 1 && given.is_array()) result.parts = given.get_array();
  return result;
}

// Empty while the call is still running.
std::optional<ToolResult> result_of(const json::object& object, const ToolCall& call) {
  const std::string_view status = find_string(object, "status").value_or("");
  const bool is_failed = status == "error" || status == "cancelled";
  const json::value* given = find_member(object, "result");
  const bool has_result = given != nullptr && !given->is_null();
  if (!has_result && !is_failed && status != "success") return std::nullopt;

  ToolResult result;
  if (has_result) result = response_in(*given, call.id);
  result.call_id = call.id;
  result.name = call.name;
  if (!status.empty()) result.is_error = is_failed;
  if (!has_result) result.text = find_string(object, "resultDisplay").value_or("");
  google::add_display(result, object);
  return result;
}

ToolCall call_of(const json::object& object) {
  ToolCall call{.id = std::string(find_string(object, "id").value_or("")),
                .name = std::string(find_string(object, "name").value_or("")),
                .input = json::object(),
                .description = {},
                .display_text = {}};
  if (const json::value* input = find_member(object, "args")) call.input = *input;
  // Older versions have the tool's manual here, the same for each of its calls.
  const std::string_view shown = find_string(object, "description").value_or("");
  if (!shown.empty()) call.display_text = std::string(shown);
  const json::object* input = call.input.if_object();
  const auto purpose = input == nullptr ? std::nullopt : find_string(*input, "description");
  if (purpose) call.description = std::string(*purpose);
  return call;
}

}  // namespace

void parse_calls(const json::object& object, Message& message) {
  const json::array* calls = find_array(object, "toolCalls");
  if (calls == nullptr) return;
  std::uint32_t index = kCallsAt;
  for (const json::value& value : *calls) {
    if (index - kCallsAt >= google::kMostParts) {
      message.is_cut_short = true;
      return;
    }
    const std::uint32_t place = index;
    index += 2;
    const json::object* one = value.if_object();
    if (one == nullptr) {
      message.pieces.push_back(
          {{Author::model, transcript::Unknown{.block_type = "toolCall", .raw = value}}, place});
      continue;
    }
    ToolCall call = call_of(*one);
    std::optional<ToolResult> result = result_of(*one, call);
    if (const auto agent = find_id(*one, "agentId"); agent && !call.id.empty()) {
      message.delegations.push_back({call.id, *agent});
    }
    message.pieces.push_back({{Author::model, std::move(call)}, place});
    if (!result) continue;
    const auto time = find_string(*one, "timestamp");
    message.pieces.push_back({{Author::tool, std::move(*result)},
                              place + 1,
                              time ? parse_iso8601(*time) : std::nullopt});
  }
}

}  // namespace weft::formats::gemini

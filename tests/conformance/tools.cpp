#include <array>
#include <chrono>
#include <thread>

#include "fixtures.hpp"

namespace weft::conformance {
namespace {

using mcp::Call;
using mcp::Served;
using mcp::Tool;

// An empty sound.
constexpr std::string_view kWav = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";
constexpr std::string_view kNoArguments = R"({"type": "object", "additionalProperties": false})";

void wait_a_little() { std::this_thread::sleep_for(std::chrono::milliseconds(50)); }

json::object image() { return {{"type", "image"}, {"data", kPng}, {"mimeType", "image/png"}}; }

json::object embedded(std::string_view uri, std::string_view mime_type, std::string_view words) {
  return {{"type", "resource"},
          {"resource", json::object{{"uri", uri}, {"mimeType", mime_type}, {"text", words}}}};
}

json::object holding(json::array content) { return {{"content", std::move(content)}}; }

Served<> simple_text(Call&) { return text_result("This is a simple text response for testing."); }

Served<> image_content(Call&) { return holding({image()}); }

Served<> audio_content(Call&) {
  return holding({json::object{{"type", "audio"}, {"data", kWav}, {"mimeType", "audio/wav"}}});
}

Served<> embedded_resource(Call&) {
  return holding({embedded("test://embedded-resource", "text/plain",
                           "This is an embedded resource content.")});
}

Served<> multiple_content_types(Call&) {
  return holding({text("Multiple content types test:"), image(),
                  embedded("test://mixed-content-resource", "application/json",
                           R"({"test":"data","value":123})")});
}

Served<> tool_with_logging(Call& call) {
  call.log("info", "Tool execution started");
  wait_a_little();
  call.log("info", "Tool processing data");
  wait_a_little();
  call.log("info", "Tool execution completed");
  return text_result("three lines were logged");
}

Served<> tool_with_progress(Call& call) {
  for (const double done : {0.0, 50.0, 100.0}) {
    call.progress(done, 100);
    if (done < 100) wait_a_little();
  }
  return text_result("progress was told three times");
}

Served<> error_handling(Call&) {
  return mcp::refused("This tool intentionally returns an error for testing");
}

Served<> takes_anything(Call&) { return text_result("taken"); }

Served<> missing_capability(Call& call) {
  if (call.client().capabilities.contains("sampling")) return text_result("sampling is there");
  return mcp::reject(
      mcp::code::kMissingCapability, "this needs sampling",
      json::object{{"requiredCapabilities", json::object{{"sampling", json::object()}}}});
}

Served<> streaming_elicitation(Call& call) {
  call.notify("notifications/progress", {{"progressToken", "stream"}, {"progress", 1}});
  return json::object{
      {"resultType", "input_required"},
      {"inputRequests",
       json::object{
           {"answer", json::object{{"method", "elicitation/create"},
                                   {"params", json::object{{"message", "Go on?"},
                                                           {"requestedSchema",
                                                            json::object{{"type", "object"},
                                                                         {"properties",
                                                                          json::object()}}}}}}}}}};
}

Served<> change_tools(Call&) {
  running->notify_changed(mcp::ListKind::tools);
  return text_result("told");
}

Served<> change_prompts(Call&) {
  running->notify_changed(mcp::ListKind::prompts);
  return text_result("told");
}

constexpr std::string_view kBroadSchema = R"({
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "type": "object",
  "$defs": {
    "address": {
      "$anchor": "addressDef",
      "type": "object",
      "properties": {"street": {"type": "string"}, "city": {"type": "string"}}
    }
  },
  "properties": {
    "name": {"type": "string"},
    "address": {"$ref": "#/$defs/address"},
    "contactMethod": {"type": "string", "enum": ["phone", "email"]},
    "phone": {"type": "string"},
    "email": {"type": "string"}
  },
  "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
  "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
  "then": {"required": ["phone"]},
  "else": {"required": ["email"]},
  "additionalProperties": false
})";

constexpr std::string_view kHeaderSchema = R"({
  "type": "object",
  "properties": {"region": {"type": "string", "x-mcp-header": "Region"}},
  "required": ["region"]
})";

Tool fixture(std::string_view name, Served<> (*call)(Call&),
             std::string_view input_schema = kNoArguments) {
  return {.name = name,
          .title = name,
          .description = "For the conformance suite.",
          .call = call,
          .input_schema = input_schema};
}

}  // namespace

json::object text(std::string_view words) { return {{"type", "text"}, {"text", words}}; }

json::object text_result(std::string_view words) { return holding({text(words)}); }

std::span<const Tool* const> tools() {
  static const std::array<Tool, 14> all = {
      fixture("json_schema_2020_12_tool", takes_anything, kBroadSchema),
      fixture("test_audio_content", audio_content),
      fixture("test_embedded_resource", embedded_resource),
      fixture("test_error_handling", error_handling),
      fixture("test_image_content", image_content),
      fixture("test_logging_tool", tool_with_logging),
      fixture("test_missing_capability", missing_capability),
      fixture("test_multiple_content_types", multiple_content_types),
      fixture("test_simple_text", simple_text),
      fixture("test_streaming_elicitation", streaming_elicitation),
      fixture("test_tool_with_logging", tool_with_logging),
      fixture("test_tool_with_progress", tool_with_progress),
      fixture("test_trigger_prompt_change", change_prompts),
      fixture("test_trigger_tool_change", change_tools),
  };
  static const Tool header = fixture("test_header_parameter", takes_anything, kHeaderSchema);
  static const std::vector<const Tool*> pointers = [] {
    std::vector<const Tool*> out{&header};
    for (const Tool& tool : all) out.push_back(&tool);
    for (const Tool* tool : input_tools()) out.push_back(tool);
    return out;
  }();
  return pointers;
}

}  // namespace weft::conformance

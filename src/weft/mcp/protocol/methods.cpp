#include "weft/mcp/protocol/methods.hpp"

#include <algorithm>
#include <array>

namespace weft::mcp {
namespace {

constexpr std::array<std::string_view, 9> kShared = {
    "tools/list",     "tools/call",  "resources/list",      "resources/templates/list",
    "resources/read", "prompts/get", "completion/complete", "prompts/list",
    "server/discover"};

// How long clients may cache lists: what weft offers changes only with its version.
constexpr std::int64_t kFixedMs = 3'600'000;

json::object with_cache_hint(json::object result, std::int64_t ttl_ms, std::string_view scope) {
  result["ttlMs"] = ttl_ms;
  result["cacheScope"] = scope;
  return result;
}

std::unexpected<RpcError> wrong(std::string message) {
  return reject(code::kInvalidParams, std::move(message));
}

// Everything is on the first page: no cursor is valid.
Served<> one_page(const json::object& params, std::string_view key, json::array list) {
  const json::value* cursor = find_member(params, "cursor");
  if (cursor != nullptr && !cursor->is_null() && *cursor != "") {
    return wrong("invalid cursor");
  }
  return json::object{{key, std::move(list)}};
}

json::object parsed_schema(std::string_view text) {
  Result<ParsedJson> parsed = parse_json(text);
  return parsed && parsed->value.is_object() ? std::move(parsed->value.get_object())
                                             : json::object{{"type", "object"}};
}

json::object described(const Tool& tool) {
  json::object out{{"name", tool.name}, {"title", tool.title}, {"description", tool.description}};
  out["inputSchema"] =
      tool.input_schema.empty() ? to_schema(tool.parameters) : parsed_schema(tool.input_schema);
  if (!tool.output_schema.empty()) out["outputSchema"] = parsed_schema(tool.output_schema);
  out["annotations"] = json::object{{"title", tool.title},
                                    {"readOnlyHint", tool.hints.is_read_only},
                                    {"destructiveHint", tool.hints.is_destructive},
                                    {"idempotentHint", tool.hints.is_idempotent},
                                    {"openWorldHint", tool.hints.is_open_world}};
  const bool is_long = std::ranges::any_of(
      tool.parameters, [](const Parameter& parameter) { return parameter.name == "max_chars"; });
  // Claude Code writes longer results into a file unless this annotation allows them.
  if (is_long) out["_meta"] = json::object{{"anthropic/maxResultSizeChars", kMostChars}};
  return out;
}

json::object described(const Prompt& prompt) {
  json::object out{
      {"name", prompt.name}, {"title", prompt.title}, {"description", prompt.description}};
  json::array arguments;
  for (const PromptArgument& argument : prompt.arguments) {
    arguments.push_back(json::object{{"name", argument.name},
                                     {"title", argument.title},
                                     {"description", argument.description},
                                     {"required", argument.is_required}});
  }
  if (!arguments.empty()) out["arguments"] = std::move(arguments);
  return out;
}

}  // namespace

bool Methods::knows(std::string_view method, Era era) const {
  if (method == "server/discover") return era == Era::modern;
  if (method == "logging/setLevel") return era == Era::legacy && features_.logs;
  return std::ranges::find(kShared, method) != kShared.end();
}

const Tool* Methods::find_called_tool(std::string_view method, const json::object& params) const {
  if (method != "tools/call") return nullptr;
  const auto name = find_string(params, "name");
  const auto found = std::ranges::find(features_.tools, name.value_or(""), &Tool::name);
  return found == features_.tools.end() ? nullptr : *found;
}

Served<> Methods::answer(std::string_view method, const Tool* tool, Call& call) const {
  const json::object& params = call.params();
  if (method == "server/discover") return discover();
  if (method == "tools/list") return list_tools(params);
  if (method == "tools/call") return call_tool(tool, call);
  if (method == "prompts/list") return list_prompts(params);
  if (method == "prompts/get") return get_prompt(call);
  if (method == "resources/list") return list_resources(call);
  if (method == "resources/templates/list") return list_templates(params);
  if (method == "resources/read") return read_resource(call);
  if (method == "completion/complete") return complete(call);
  if (method == "logging/setLevel") {
    // Without sessions there is nothing to set; only a wrong level is an error.
    if (!is_log_level(find_string(params, "level").value_or(""))) {
      return wrong("level: expected one of debug to emergency");
    }
    return json::object();
  }
  return reject(code::kMethodNotFound, "unknown method");
}

json::object Methods::server_info() const {
  return {{"name", features_.name}, {"title", features_.title}, {"version", features_.version}};
}

json::object Methods::finished(json::object result) const {
  if (!result.contains("resultType")) result["resultType"] = "complete";
  json::value& meta = result["_meta"];
  if (!meta.is_object()) meta = json::object();
  meta.get_object()[kMetaServer] = server_info();
  return result;
}

json::object Methods::capabilities(Era era, const Abilities& abilities) const {
  json::object out;
  const bool notifies = era == Era::modern || abilities.notifies;
  json::object list;
  if (notifies && features_.lists_change) list["listChanged"] = true;
  if (!features_.tools.empty()) out["tools"] = list;
  if (!features_.prompts.empty()) {
    out["prompts"] = list;
    out["completions"] = json::object{};
  }
  if (!features_.resources.empty()) {
    out["resources"] = json::object{{"subscribe", notifies}, {"listChanged", notifies}};
    out["completions"] = json::object{};
  }
  if (features_.logs) out["logging"] = json::object{};
  return out;
}

Served<> Methods::initialize(const json::object& params, const Abilities& abilities) const {
  const auto requested = find_string(params, "protocolVersion");
  if (!requested) return wrong("initialize: protocolVersion is missing");
  const std::string_view version =
      is_legacy_version(*requested) ? *requested : kLegacyVersions.front();
  return json::object{{"protocolVersion", version},
                      {"capabilities", capabilities(Era::legacy, abilities)},
                      {"serverInfo", server_info()},
                      {"instructions", features_.instructions}};
}

Served<> Methods::discover() const {
  return with_cache_hint({{"supportedVersions", json::array{kModernVersion}},
                          {"capabilities", capabilities(Era::modern, {})},
                          {"instructions", features_.instructions}},
                         kFixedMs, "public");
}

Served<> Methods::list_tools(const json::object& params) const {
  json::array tools;
  for (const Tool* tool : features_.tools) tools.push_back(described(*tool));
  Served<> page = one_page(params, "tools", std::move(tools));
  return page ? with_cache_hint(*std::move(page), kFixedMs, "public") : std::move(page);
}

Served<> Methods::list_prompts(const json::object& params) const {
  json::array prompts;
  for (const Prompt* prompt : features_.prompts) prompts.push_back(described(*prompt));
  Served<> page = one_page(params, "prompts", std::move(prompts));
  return page ? with_cache_hint(*std::move(page), kFixedMs, "public") : std::move(page);
}

void Methods::prepare(Call& call) const {
  if (features_.before_reading != nullptr) features_.before_reading(call);
}

Served<> Methods::call_tool(const Tool* tool, Call& call) const {
  const auto name = find_string(call.params(), "name");
  if (!name) return wrong("tools/call: name is missing");
  if (tool == nullptr) return wrong("Unknown tool: " + std::string(*name));
  const json::value* given = find_member(call.params(), "arguments");
  if (given != nullptr && !given->is_object() && !given->is_null()) {
    return wrong("arguments must be a JSON object");
  }
  json::object arguments =
      given != nullptr && given->is_object() ? given->get_object() : json::object();
  if (tool->input_schema.empty()) {
    std::expected<json::object, std::string> checked = read_arguments(tool->parameters, arguments);
    if (!checked) {
      std::string cure;
      if (!tool->example.empty()) {
        cure = "A correct call: " + std::string(tool->name) + " " + std::string(tool->example);
      }
      return refused(checked.error(), cure);
    }
    arguments = *std::move(checked);
  }
  call.set_arguments(std::move(arguments));
  prepare(call);
  return tool->call(call);
}

Served<> Methods::get_prompt(Call& call) const {
  const auto name = find_string(call.params(), "name");
  if (!name) return wrong("prompts/get: name is missing");
  const auto found = std::ranges::find(features_.prompts, *name, &Prompt::name);
  if (found == features_.prompts.end()) return wrong("Unknown prompt: " + std::string(*name));
  const Prompt& prompt = **found;
  const json::object* given = find_object(call.params(), "arguments");
  json::object arguments;
  for (const PromptArgument& argument : prompt.arguments) {
    const json::value* value = given != nullptr ? find_member(*given, argument.name) : nullptr;
    if (value != nullptr && value->is_string()) {
      arguments[argument.name] = *value;
    } else if (value != nullptr && !value->is_null()) {
      return wrong(std::string(argument.name) + ": expected a text");
    } else if (argument.is_required) {
      return wrong(std::string(argument.name) + " is missing");
    }
  }
  call.set_arguments(std::move(arguments));
  prepare(call);
  return prompt.get(call);
}

}  // namespace weft::mcp

// Tools and a prompt that cannot answer before the client has: what they ask for goes back as a
// result, and the client calls again with its answers. What must survive in between travels with
// the client, under a seal.
#include <array>

#include "fixtures.hpp"
#include "inputs.hpp"
#include "weft/crypto/base64.hpp"
#include "weft/crypto/blake3.hpp"

namespace weft::conformance {
namespace {

using mcp::Call;
using mcp::Served;
using mcp::Tool;

json::object asks_text(std::string_view message, std::string_view field,
                       std::string_view type = "string") {
  const json::object schema{{"type", "object"},
                            {"properties", json::object{{field, json::object{{"type", type}}}}},
                            {"required", json::array{field}}};
  return {{"method", "elicitation/create"},
          {"params",
           json::object{{"mode", "form"}, {"message", message}, {"requestedSchema", schema}}}};
}

json::object asks_model(std::string_view question, int most_tokens) {
  return {{"method", "sampling/createMessage"},
          {"params", json::object{{"messages", json::array{json::object{
                                                   {"role", "user"}, {"content", text(question)}}}},
                                  {"maxTokens", most_tokens}}}};
}

json::object asks_roots() { return {{"method", "roots/list"}, {"params", json::object()}}; }

// The state with a keyed hash before it: nobody without the key can change it.
std::string sealed(std::string_view state) {
  static constexpr std::string_view kKey = "a key of this process alone";
  const Digest mac = crypto::blake3(std::string(kKey) + std::string(state));
  const std::string bytes(reinterpret_cast<const char*>(mac.data()), mac.size());
  std::string out;
  crypto::append_base64(out, bytes);
  return out + "." + std::string(state);
}

bool is_sealed(std::string_view text, std::string_view state) { return text == sealed(state); }

// Without an answer of the right kind under `key`, the question again.
const json::object* answered(const Call& call, std::string_view key) {
  const json::object* answers = find_object(call.params(), "inputResponses");
  return answers != nullptr ? find_object(*answers, key) : nullptr;
}

// The field of an elicitation that was accepted.
std::optional<std::string> accepted(const Call& call, std::string_view key,
                                    std::string_view field) {
  const json::object* answer = answered(call, key);
  if (answer == nullptr || find_string(*answer, "action") != "accept") return std::nullopt;
  const json::object* content = find_object(*answer, "content");
  const auto value = content != nullptr ? find_string(*content, field) : std::nullopt;
  if (!value) return std::nullopt;
  return std::string(*value);
}

std::string_view state_of(const Call& call) {
  return find_string(call.params(), "requestState").value_or("");
}

Served<> elicitation(Call& call) {
  if (const auto name = accepted(call, "user_name", "name"))
    return text_result("Hello, " + *name + "!");
  return needs({{"user_name", asks_text("What is your name?", "name")}});
}

Served<> sampling(Call& call) {
  const json::object* answer = answered(call, "capital_question");
  const json::object* content = answer != nullptr ? find_object(*answer, "content") : nullptr;
  if (content != nullptr) return text_result(find_string(*content, "text").value_or("no text"));
  return needs({{"capital_question", asks_model("What is the capital of France?", 100)}});
}

Served<> list_roots(Call& call) {
  const json::object* answer = answered(call, "client_roots");
  const json::array* roots = answer != nullptr ? find_array(*answer, "roots") : nullptr;
  if (roots == nullptr) return needs({{"client_roots", asks_roots()}});
  std::string words = "Roots:";
  for (const json::value& root : *roots) {
    if (const json::object* one = root.if_object()) {
      words += " " + std::string(find_string(*one, "uri").value_or(""));
    }
  }
  return text_result(words);
}

Served<> request_state(Call& call) {
  if (answered(call, "confirm") != nullptr && is_sealed(state_of(call), "confirming")) {
    return text_result("state-ok");
  }
  if (answered(call, "confirm") != nullptr) {
    return mcp::reject(mcp::code::kInvalidParams, "the requestState is not one of ours");
  }
  return needs({{"confirm", asks_text("Please confirm", "ok", "boolean")}}, sealed("confirming"));
}

Served<> multiple_inputs(Call& call) {
  const bool has_all = answered(call, "user_name") != nullptr &&
                       answered(call, "greeting") != nullptr &&
                       answered(call, "client_roots") != nullptr;
  if (has_all && is_sealed(state_of(call), "three")) return text_result("all three came");
  return needs({{"user_name", asks_text("What is your name?", "name")},
                {"greeting", asks_model("Generate a greeting", 50)},
                {"client_roots", asks_roots()}},
               sealed("three"));
}

Served<> multi_round(Call& call) {
  if (accepted(call, "step2", "color") && is_sealed(state_of(call), "second")) {
    return text_result("both steps are done");
  }
  if (accepted(call, "step1", "name") && is_sealed(state_of(call), "first")) {
    return needs({{"step2", asks_text("Step 2: What is your favorite color?", "color")}},
                 sealed("second"));
  }
  return needs({{"step1", asks_text("Step 1: What is your name?", "name")}}, sealed("first"));
}

Served<> capabilities(Call& call) {
  const json::object& client = call.client().capabilities;
  json::object requests;
  if (client.contains("elicitation")) requests["ask"] = asks_text("What is your name?", "name");
  if (client.contains("sampling")) requests["model"] = asks_model("Say hello", 20);
  if (client.contains("roots")) requests["roots"] = asks_roots();
  if (requests.empty()) return text_result("the client can do nothing of this");
  return needs(std::move(requests));
}

Tool fixture(std::string_view name, Served<> (*call)(Call&)) {
  return {.name = name,
          .title = name,
          .description = "For the conformance suite.",
          .call = call,
          .input_schema = R"({"type": "object", "additionalProperties": false})"};
}

}  // namespace

json::object needs(json::object requests, std::optional<std::string> state) {
  json::object out{{"resultType", "input_required"}, {"inputRequests", std::move(requests)}};
  if (state) out["requestState"] = *state;
  return out;
}

Served<> input_prompt(Call& call) {
  const auto context = accepted(call, "user_context", "context");
  if (!context) {
    return needs({{"user_context", asks_text("What context should the prompt use?", "context")}});
  }
  return json::object{
      {"messages", json::array{json::object{{"role", "user"},
                                            {"content", text("Use this context: " + *context)}}}}};
}

std::span<const Tool* const> input_tools() {
  static const std::array<Tool, 8> all = {
      fixture("test_input_required_result_capabilities", capabilities),
      fixture("test_input_required_result_elicitation", elicitation),
      fixture("test_input_required_result_list_roots", list_roots),
      fixture("test_input_required_result_multi_round", multi_round),
      fixture("test_input_required_result_multiple_inputs", multiple_inputs),
      fixture("test_input_required_result_request_state", request_state),
      fixture("test_input_required_result_sampling", sampling),
      fixture("test_input_required_result_tampered_state", request_state),
  };
  static const std::vector<const Tool*> pointers = [] {
    std::vector<const Tool*> out;
    for (const Tool& tool : all) out.push_back(&tool);
    return out;
  }();
  return pointers;
}

}  // namespace weft::conformance

#include <array>

#include "fixtures.hpp"
#include "inputs.hpp"

namespace weft::conformance {
namespace {

using mcp::Call;
using mcp::Prompt;
using mcp::Served;

json::object from_user(json::object content) {
  return {{"role", "user"}, {"content", std::move(content)}};
}

json::object messages(json::array all) { return {{"messages", std::move(all)}}; }

std::string argument(const Call& call, std::string_view name) {
  return std::string(find_string(call.arguments(), name).value_or(""));
}

Served<> simple(Call&) {
  return messages({from_user(text("This is a simple prompt for testing."))});
}

Served<> with_arguments(Call& call) {
  return messages({from_user(text("Prompt with arguments: arg1='" + argument(call, "arg1") +
                                  "', arg2='" + argument(call, "arg2") + "'"))});
}

Served<> with_resource(Call& call) {
  const json::object resource{{"uri", argument(call, "resourceUri")},
                              {"mimeType", "text/plain"},
                              {"text", "Embedded resource content for testing."}};
  return messages({from_user({{"type", "resource"}, {"resource", resource}}),
                   from_user(text("Please process the embedded resource above."))});
}

Served<> with_image(Call&) {
  return messages({from_user({{"type", "image"}, {"data", kPng}, {"mimeType", "image/png"}}),
                   from_user(text("Please analyze the image above."))});
}

std::vector<std::string> complete(Call&, std::string_view, std::string_view begun) {
  std::vector<std::string> out;
  for (const std::string_view word : {"paris", "park", "party"}) {
    if (word.starts_with(begun)) out.emplace_back(word);
  }
  return out;
}

}  // namespace

std::span<const Prompt* const> prompts() {
  static const std::array<Prompt, 5> all = {{
      {.name = "test_simple_prompt",
       .title = "Simple",
       .description = "Fixed words",
       .get = simple},
      {.name = "test_prompt_with_arguments",
       .title = "With arguments",
       .description = "Says its arguments",
       .arguments =
           {{.name = "arg1", .title = "First", .description = "Any", .is_required = true},
            {.name = "arg2", .title = "Second", .description = "Any", .is_required = true}},
       .get = with_arguments,
       .complete = complete},
      {.name = "test_prompt_with_embedded_resource",
       .title = "With a resource",
       .description = "Embeds a resource",
       .arguments = {{.name = "resourceUri",
                      .title = "Resource",
                      .description = "Its URI",
                      .is_required = true}},
       .get = with_resource},
      {.name = "test_prompt_with_image",
       .title = "Image",
       .description = "A pixel",
       .get = with_image},
      {.name = "test_input_required_result_prompt",
       .title = "Asks first",
       .description = "Wants to know the context",
       .get = input_prompt},
  }};
  static const std::vector<const Prompt*> pointers = [] {
    std::vector<const Prompt*> out;
    for (const Prompt& prompt : all) out.push_back(&prompt);
    return out;
  }();
  return pointers;
}

}  // namespace weft::conformance

#include "weft/formats/apis/openai/injected_text.hpp"

#include <algorithm>
#include <array>

#include "weft/formats/reading/text.hpp"

namespace weft::formats::openai {
namespace {

constexpr auto kInjected = std::to_array<std::string_view>({"<environment_context",
                                                            "<user_instructions>",
                                                            "# AGENTS.md instructions",
                                                            "<permissions instructions>",
                                                            "<turn_aborted>",
                                                            "<skill>",
                                                            "<skills_instructions>",
                                                            "<subagent_notification>",
                                                            "<codex_internal_context",
                                                            "<goal_context>",
                                                            "<recommended_plugins>",
                                                            "<user_action>",
                                                            "<collaboration_mode>",
                                                            "<model_switch>",
                                                            "<personality_spec>",
                                                            "<apps_instructions>",
                                                            "<plugins_instructions>",
                                                            "<hook_prompt",
                                                            "<image name=",
                                                            "</image>",
                                                            "<INSTRUCTIONS>"});

}  // namespace

bool is_injected(std::string_view text) {
  const std::string_view words = trim(text);
  return std::ranges::any_of(kInjected,
                             [&](std::string_view opening) { return words.starts_with(opening); });
}

}  // namespace weft::formats::openai

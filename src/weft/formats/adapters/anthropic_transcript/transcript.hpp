// The anthropic-transcript format: its name, its facts, and the functions of its adapter.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "weft/formats/adapter.hpp"
#include "weft/formats/apis/anthropic/content.hpp"

namespace weft::formats::anthropic {

inline constexpr std::string_view kTranscriptName = "anthropic-transcript";

// The heading of a transcript's conversation.
transcript::Heading transcript_heading(std::string session_id, std::string source = "primary");

// The facts that a transcript can state, as a line "Title: …" or a member "title".
struct FactKey {
  std::string_view key, label;
  std::optional<std::string> transcript::Facts::* fact;
};
inline constexpr std::array<FactKey, 6> kFactKeys = {{
    {"title", "Title", &transcript::Facts::title},
    {"summary", "Summary", &transcript::Facts::summary},
    {"project", "Project", &transcript::Facts::project},
    {"cwd", "Cwd", &transcript::Facts::cwd},
    {"git_branch", "Branch", &transcript::Facts::git_branch},
    {"account", "Account", &transcript::Facts::account},
}};

Confidence recognises_transcript(std::string_view head);
Result<Written> write_transcript(const transcript::Conversation& conversation);

}  // namespace weft::formats::anthropic

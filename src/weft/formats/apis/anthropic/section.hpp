// The parts of the anthropic-transcript adapter: from a section's text to its blocks, and
// from blocks to turns. Internal; the adapter itself is in adapter.cpp.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/formats/adapter.hpp"
#include "weft/formats/apis/anthropic/blocks.hpp"

namespace weft::formats::anthropic {

inline constexpr std::string_view kTranscriptName = "anthropic-transcript";

// Of one section. A block costs hundreds of bytes, so that 64 MB of "[1,1,1,…" must
// not become as many blocks.
inline constexpr std::uint32_t kMaxBlocks = 100'000;

// What a transcript's conversation is known by.
transcript::Heading transcript_heading(std::string session_id, std::string source = "primary");

// What one role says in one go: a section of the text form, a turn of the JSON form.
struct Section {
  struct Item {
    std::uint32_t index = 0;  // its position in the section's array
    ParsedBlock block;
  };
  transcript::Role role = transcript::Role::human;
  std::optional<std::string> model, message_id;
  std::optional<Millis> recorded;
  std::vector<Item> items;
  std::optional<std::string> sent_as{};  // the role of a message, where it is one of an API's
};

// "Human", "user", "assistant"…, in any case. Empty for any other.
std::optional<transcript::Role> role_of(std::string_view label);

// "Git-Branch" → "git_branch".
std::string normal_key(std::string_view key);

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

// A part of a broken JSON text, cut out by counting brackets.
struct Piece {
  std::string member;      // empty for an element
  std::string_view text;   // points into the broken one
  std::uint64_t line = 0;  // 0-based, within it
  bool cut = false, stray = false;
};
std::vector<Piece> cut_json(std::string_view text, std::vector<std::string> keys);

// The blocks of a section's content: an array, one block, or a string. Where the array
// is broken, each whole element is taken and each other one is told to `sink`.
std::vector<Section::Item> parse_content(std::string_view content, std::uint64_t line,
                                         transcript::Sink& sink, ParseBlock parse = parse_block);
// The same for an array cut into pieces.
std::vector<Section::Item> parse_pieces(const std::vector<Piece>& pieces, std::uint64_t line,
                                        transcript::Sink& sink, ParseBlock parse = parse_block);
// The same for content that was parsed whole and exactly.
std::vector<Section::Item> items_of(const json::value& content, std::uint64_t line,
                                    transcript::Sink& sink, ParseBlock parse = parse_block);

Confidence recognises_transcript(std::string_view head);
Result<Written> write_transcript(const transcript::Conversation& conversation);

}  // namespace weft::formats::anthropic

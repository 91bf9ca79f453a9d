// What one record says, and who: before it has a place and a turn.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "weft/transcript/block.hpp"

namespace weft::formats::codex {

struct AuthoredBlock {
  transcript::Author author = transcript::Author::model;
  transcript::Body body;
};

// Codex says most things twice: as an item, which is what the model saw or said, and as an
// event, which is what the person was shown. These are the kinds that come so.
enum class Voice { none, person, model, reasoning };

struct Utterance {
  std::vector<AuthoredBlock> blocks;
  Voice voice = Voice::none;
  // By which its other form is known: of a message all its words, of reasoning each summary.
  std::vector<std::string> echoes{};
  // What a program says in it stays in the turn of the person's words.
  bool is_prompt = false;
  bool is_too_large = false;  // there were more parts than are told
};

}  // namespace weft::formats::codex

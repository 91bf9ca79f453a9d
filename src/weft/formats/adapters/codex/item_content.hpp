// The content of one Codex record, before it has a place and a turn.
#pragma once

#include <string>
#include <vector>

#include "weft/formats/reading/turn_emitter.hpp"

namespace weft::formats::codex {

// The author of prompts: in a subagent's conversation, a program.
enum class Prompter { person, program };

// Codex records most content twice: as an item, which the model read or wrote, and as an event,
// which the person was shown. These are the kinds of content that come in such pairs. The numbers
// are saved.
enum class PairKind { none = 0, prompt = 1, answer = 2, reasoning = 3 };
constexpr PairKind last_enumerator(PairKind /*one*/) { return PairKind::reasoning; }

struct ItemContent {
  std::vector<AuthoredBlock> blocks;
  PairKind pair_kind = PairKind::none;
  // The texts by which an item and its event are matched: all text of a message, or each summary
  // of reasoning.
  std::vector<std::string> match_texts{};
  bool is_prompt = false;     // as RecordContent::is_prompt
  bool is_too_large = false;  // it has more parts than are emitted
};

}  // namespace weft::formats::codex

// The readers of Cursor's conversations: JSON lines (transcripts of the agent, and rows of the
// editor's database), and the text that transcripts once were.
#pragma once

#include <memory>
#include <string>

#include "weft/formats/adapter.hpp"

namespace weft::formats::cursor {

inline constexpr std::string_view kName = "cursor";

Confidence recognise_conversation(std::string_view head);

// The session of a transcript, from its path. The lines themselves do not name it.
//   …/agent-transcripts/<id>/<id>.jsonl      …/agent-transcripts/<id>/subagents/<child>.jsonl
struct Place {
  std::string id;      // empty if unknown
  std::string parent;  // of a subagent: the session that spawned it
};
Place place_of(const SourceInfo& info);
// The heading of a transcript's conversation; `first` is its first record.
transcript::Heading heading_of(const Place& place, std::string_view first);

std::unique_ptr<Reader> open_lines(const SourceInfo& info);
std::unique_ptr<Reader> open_text(const SourceInfo& info);
// Opens one of the two, depending on the first record.
std::unique_ptr<Reader> open_conversation(const SourceInfo& info);

}  // namespace weft::formats::cursor

// The reader of Codex's sessions: rollouts old and new, and what `codex exec --json` prints.
//
// Response items are the truth. Events mirror them for the person's screen, before or after,
// and are told only where no item says the same (formats/adapters/codex/event_pairing.hpp). A
// compaction's replacement history repeats what was told and is never told again.
#pragma once

#include <memory>

#include "weft/formats/adapter.hpp"

namespace weft::formats::codex {

std::unique_ptr<Reader> open_session(const SourceInfo& info);

// How sure one may be of a file that begins so.
Confidence recognise_session(std::string_view head);
// Whether it is one JSON document {session, items}, as the first CLI wrote it.
bool is_document(std::string_view head);
// The last component of the header's cwd; empty where there is none.
std::string project_of_head(std::string_view head);

}  // namespace weft::formats::codex

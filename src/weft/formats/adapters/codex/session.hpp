// The reader of Codex's sessions: rollouts old and new, and what `codex exec --json` prints.
//
// Response items are authoritative. Events mirror them for the person's screen, before or after;
// an event is emitted only if no item has the same content (codex/event_pairing.hpp). The
// replacement history of a compaction repeats earlier records and is not emitted.
#pragma once

#include <memory>

#include "weft/formats/adapter.hpp"

namespace weft::formats::codex {

std::unique_ptr<Reader> open_session(const SourceInfo& info);

// The confidence that a file with this head is a Codex session.
Confidence recognise_session(std::string_view head);
// Whether it is one JSON document {session, items}, as the first CLI wrote it.
bool is_document(std::string_view head);
// The last component of the header's cwd; empty if it has none.
std::string project_of_head(std::string_view head);

}  // namespace weft::formats::codex

// The reader of pi's sessions, and of OpenClaw's, which have the same format and other authors.
//
// Entries form a tree: each names the one that it follows. A turn continues as long as each entry
// follows the last one emitted; an entry that follows another begins a new turn, which names the
// turn that it branches from. Entries without content (a change of model, a label, state of an
// extension) are links of the chain all the same: entries that follow them follow their parent.
#pragma once

#include <memory>
#include <string_view>

#include "weft/formats/adapter.hpp"

namespace weft::formats::pi {

enum class Dialect { pi, openclaw };
std::string_view to_string(Dialect dialect);

std::unique_ptr<Reader> open_session(Dialect dialect, const SourceInfo& info);

// The confidence that a file with this head is of the dialect. OpenClaw is sure of files with its
// marks, pi of all others; each can read both.
Confidence recognise_session(Dialect dialect, std::string_view head);

// As Adapter::ignore_reason. Only OpenClaw keeps copies beside its sessions; but a copy without
// its marks is recognised as pi's.
std::optional<std::string> ignore_file_reason(std::string_view path);

// The last component of the header's cwd; empty if it has none.
std::string project_of_header(std::string_view head);

}  // namespace weft::formats::pi

// The reader of pi's sessions, and of OpenClaw's, which are the same but for who writes them.
//
// Entries form a tree: each names the one that it follows. A turn goes on as long as each
// entry follows the last one told; one that follows another begins a new turn, which names the
// turn that it branches from. Entries that tell nothing (a change of model, a label, state of
// an extension) are links of the chain all the same and are bridged.
#pragma once

#include <memory>
#include <string_view>

#include "weft/formats/adapter.hpp"

namespace weft::formats::pi {

enum class Dialect { pi, openclaw };
std::string_view to_string(Dialect dialect);

std::unique_ptr<Reader> open_session(Dialect dialect, const SourceInfo& info);

// How sure a dialect may be of a file that begins so. Of one that OpenClaw has left its marks
// on it is OpenClaw that is sure, of any other it is pi; the other one can read it too.
Confidence recognise_session(Dialect dialect, std::string_view head);

// Why a file is not read for its name's sake, as Adapter::leaves has it. Only OpenClaw keeps
// copies beside its sessions; but a copy with no mark of its own on it is taken for pi's.
std::optional<std::string> ignore_file_reason(std::string_view path);

// The last component of the header's cwd; empty where there is none.
std::string project_of_header(std::string_view head);

}  // namespace weft::formats::pi

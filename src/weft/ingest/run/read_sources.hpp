// Reads one file of a run, by the kind of file it is. Each function reads as far as it can, and
// reports what it skips; each returns early once the run is stopped.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "weft/ingest/run/file_list.hpp"
#include "weft/ingest/run/source_progress.hpp"
#include "weft/ingest/source/source_file.hpp"

namespace weft::ingest {

inline constexpr std::size_t kChunkBytes = 1u << 20;  // read from a file at a time

// An open file of the run, and what is known of it.
struct OpenedFile {
  const ListedFile& listed;
  SourceFile& file;
  std::string path;                    // all links resolved: the name of the source
  std::optional<store::Source> known;  // its row in the store
};

// --- read_file.cpp: one conversation log ---------------------------------------------------------
// True if nothing changed since the file was read to its end: it is counted, and not read.
bool skip_unchanged(RunContext& run, const OpenedFile& opened, const SourceDescription& about);
// Reads what was appended since. False if the file cannot be resumed, with nothing read.
bool read_appended(RunContext& run, const OpenedFile& opened, const SourceDescription& about);
// Reads all of a file that begins with `head`.
void read_whole(RunContext& run, const OpenedFile& opened, const formats::Adapter& adapter,
                const SourceDescription& about, std::string_view head);
// Writes into a row how far its file was read. `archived` is set already.
void set_file_position(const SourceSeal& seal, const SourceFile& file, store::Source& source,
                       SourceEnd end);

// --- read_packed.cpp: archived as the file is, read again whole when it changes ------------------
void read_zip(RunContext& run, const OpenedFile& opened);
void read_packed(RunContext& run, const OpenedFile& opened);

// --- read_lines.cpp: read and archived as JSON lines ---------------------------------------------
// Every conversation of a database is a source of its own. The database file is not archived: it
// holds more than conversations, keys among it.
void read_database(RunContext& run, const OpenedFile& opened);
// A conversation whose parts are the files of a folder.
void read_tree(RunContext& run, const OpenedFile& opened, const formats::Adapter& adapter,
               const SourceDescription& about);

// --- read_archived.cpp: a source whose file is gone, woven again from the archive ----------------
void read_archived(RunContext& run, const ListedFile& file);

}  // namespace weft::ingest

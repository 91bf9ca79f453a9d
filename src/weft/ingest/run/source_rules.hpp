// The rules by which a run decides whether a source is read, and as which format.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "weft/ingest/run/file_list.hpp"
#include "weft/ingest/source/source_file.hpp"

namespace weft::ingest {

// The format of a file that begins with `head`: the one that the options name, else the one of its
// folder if it can be that, else the one that recognises it. invalid_input if there is none.
Result<const formats::Adapter*> choose_adapter(const Options& options, const ListedFile& file,
                                               std::string_view head);

// The reason why a file of that name is ignored; empty if it is read. The second form asks every
// format: one of them may know a file that none can read.
std::optional<std::string> ignore_reason(const Options& options, const formats::Adapter& adapter,
                                         std::string_view path);
std::optional<std::string> ignore_reason(const Options& options, std::string_view path);

// Whether the selection includes a source. If not, the report says why.
bool is_selected(RunContext& run, const ListedFile& file, const SourceDescription& about);

// Whether a database of this run has the conversation that the file is named after.
bool is_in_database(const RunContext& run, const formats::Adapter* adapter,
                    const std::string& path);

// The source as the store knows it: by its path, or by its inode if it was renamed.
Result<std::optional<store::Source>> find_known(const RunContext& run, const std::string& path,
                                                const FileState& state);

// The project of a known file. Its beginning is read again if it was too short last time.
std::string project_of(const SourceFile& file, const store::Source& known,
                       const SourceDescription& about);

// The facts about the file at `path` that its reader gets. The value borrows `options`.
formats::SourceInfo source_info(const Options& options, const std::string& path,
                                const std::string& project, const formats::Adapter& adapter);

// The same for a source whose bytes come from the archive.
formats::SourceInfo archived_info(const Options& options, const SourceDescription& about,
                                  const formats::Adapter& adapter);
// Whether it is archived as the lines that it was read as, and not as a file: the rows of a
// database, the files of a tree.
bool is_archived_as_lines(const formats::Adapter& adapter, const std::string& path);

}  // namespace weft::ingest

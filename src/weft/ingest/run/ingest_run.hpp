// One ingest, from the list of files to the report: decides for each file whether and how it is
// read (read_sources.hpp), and reads files again that another writer changed meanwhile.
#pragma once

#include <vector>

#include "weft/ingest/run/file_list.hpp"
#include "weft/ingest/source/source_file.hpp"

namespace weft::ingest {

class IngestRun {
 public:
  // `context` outlives it.
  explicit IngestRun(RunContext& context) : run_(context) {}

  // Fails only if the store does, or as conflict if other writers keep changing the same
  // conversations.
  Result<Report> run();

 private:
  Status read_files(const std::vector<std::size_t>& numbers);
  void read_file(const ListedFile& file);
  void read_opened(const ListedFile& listed, SourceFile& file);

  RunContext& run_;
  std::vector<ListedFile> files_;
};

}  // namespace weft::ingest

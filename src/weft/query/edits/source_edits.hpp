// SourceEdits: the edits that are known of a blamed file under the names that it had, with their
// texts.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "weft/query/edits/blamed_file.hpp"
#include "weft/query/edits/known_edits.hpp"
#include "weft/query/edits/line_ledger.hpp"

namespace weft::query {

// A wide span for edits that are almost simultaneous with a commit: clocks of git count seconds.
inline constexpr Millis kSlackMs = 5'000;
Millis minus_slack(Millis time);
Millis plus_slack(Millis time);

// The edits of one file, under all names that it had while its lines were written.
struct FileEdits {
  std::vector<std::string> paths{};
  std::vector<std::size_t> edits{};  // in SourceEdits::edits, by time
  // By the path that edits name: two working trees do not undo each other's lines.
  std::map<std::string, LineLedger> ledgers{};
};

struct SourceEdits {
  std::vector<KnownEdit> edits{};  // by time, without copies
  // One for each edit: empty where no line in question can depend on it, or the keyring does not
  // open it.
  std::vector<std::vector<edits::Edit>> texts{};
  std::vector<FileEdits> files{};
  std::vector<std::size_t> file_of{};  // for each source of the blamed file, in `files`
  std::uint64_t sealed = 0;            // as of KnownEdits

  FileEdits& of_source(std::size_t source) { return files[file_of[source]]; }
  const FileEdits& of_source(std::size_t source) const { return files[file_of[source]]; }
};

Result<SourceEdits> find_source_edits(const Library& library, const BlamedFile& file,
                                      const QueryControl& control);

}  // namespace weft::query

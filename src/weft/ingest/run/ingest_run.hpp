// One ingest, from the list of files to the report. The parts of it, in the order they act:
// ingest_run.cpp chooses what to do with each file, ingest_run_file.cpp, ingest_run_containers.cpp
// and ingest_run_archive.cpp read it, ingest_run_jobs.cpp sends what was woven on its way and hears
// how it went.
#pragma once

#include <map>
#include <mutex>
#include <set>

#include "weft/ingest/ingest.hpp"
#include "weft/ingest/run/in_flight.hpp"
#include "weft/ingest/run/pipeline.hpp"
#include "weft/ingest/run/source_reader.hpp"
#include "weft/ingest/source/database_file.hpp"
#include "weft/ingest/source/packed_file.hpp"
#include "weft/ingest/source/source_file.hpp"
#include "weft/ingest/source/source_seal.hpp"

namespace weft::ingest {

// Why there is nothing of a file, or not all.
inline constexpr std::string_view kForgotten =
    "forgotten: a conversation in it is not taken in again";
inline constexpr std::string_view kNotAllowed =
    "may not be read: it lies outside of what is allowed";
// A conversation in it was forgotten: nothing that it says is archived or remembered.
inline bool keeps_nothing(const store::Source& source) {
  return source.archived == 0 && source.size > 0;
}

class IngestRun {
 public:
  // All three outlive it.
  IngestRun(store::Store& store, const crypto::Keyring& keyring, const Options& options);
  Result<Report> take_all();

 private:
  struct File {
    std::filesystem::path path;
    const formats::Adapter* adapter = nullptr;  // in whose folder it was found
    bool is_named = false;                      // by whoever asked, not found
    bool is_reread = false;                     // as Found has it
    // It is gone, and read from the archive; as the store knows it.
    std::optional<store::Source> archived{};
  };
  // One source being taken: how the store will know it.
  struct SourceProgress {
    std::size_t file = 0;  // its number
    store::Source source;  // as it was read, or as the last update left it
    About about;
    std::string unarchived{};    // bytes that were read and not sent on yet
    std::uint64_t next_seq = 0;  // of the archive
    std::uint64_t already = 0;   // bytes to come that are in the archive
    bool keeps_nothing = false;  // a conversation in it was forgotten
    std::vector<Cid> conversations{};
  };

  // --- ingest_run.cpp ----------------------------------------------------------------------------
  void list_files();
  void take_file(std::size_t number);
  // Asked of the open file.
  bool may_read(const SourceFile& file) const;
  void choose(std::size_t number, SourceFile& file);
  Result<const formats::Adapter*> choose_adapter(const File& file, std::string_view head) const;
  bool is_wanted(const File& file, const About& about);
  // Of a file that was taken in when it had less of a beginning than tells.
  std::string project_now(const SourceFile& file, const store::Source& known,
                          const About& about) const;
  // Why a file is left for its name's sake; empty if it is not.
  std::optional<std::string> why_left(const formats::Adapter& adapter, std::string_view path) const;
  // The same of a file that is of no known format: somebody may know what it is.
  std::optional<std::string> why_unknown(std::string_view path) const;
  // The source as the store knows it: by its path, or by the file that was renamed.
  Result<std::optional<store::Source>> find_known(const std::string& path, const FileState& state);
  SourceProgress begin(std::size_t number, const std::optional<store::Source>& known,
                       About about) const;
  formats::SourceInfo info_of(const std::string& path, const std::string& project,
                              const formats::Adapter& adapter) const;

  // --- ingest_run_file.cpp -----------------------------------------------------------------------
  bool is_unchanged(const store::Source& known, const FileState& state, const std::string& shown);
  void note_new_name(std::size_t number, const store::Source& known, const About& about);
  // What was read of it is still what it begins with.
  bool still_begins_so(const SourceFile& file, const store::Source& known) const;
  bool take_growth(std::size_t number, SourceFile& file, const store::Source& known,
                   const About& about);
  void take_whole(std::size_t number, SourceFile& file, const std::optional<store::Source>& known,
                  const formats::Adapter& adapter, About about, std::string_view head);
  void take_bytes(SourceFile& file, SourceReader& source_reader, SourceProgress& taking);
  void set_read(const SourceFile& file, SourceProgress& taking, bool at_end) const;

  // --- ingest_run_containers.cpp
  // -------------------------------------------------------------------
  void take_zip(std::size_t number, const std::string& path, SourceFile& file,
                const std::optional<store::Source>& known);
  void take_member(const std::string& member, PackedFile& zip, SourceProgress& taking);
  void take_packed(std::size_t number, const std::string& path, SourceFile& file,
                   const std::optional<store::Source>& known);
  void take_stream(PackedFile& packed, std::string_view first, SourceReader& source_reader,
                   SourceProgress& taking, const std::string& shown);
  void archive_as_it_is(SourceFile& file, SourceProgress& taking);
  // Whether a database that was read tells the conversation that the file is called by.
  bool is_in_database(const formats::Adapter* adapter, const std::string& path) const;
  void take_database(std::size_t number, const std::string& path, const FileState& state);
  void take_entry(std::size_t number, const std::string& file, const DatabaseFile& database,
                  const DatabaseFile::Entry& entry, const DatabaseFile::Recognised& format,
                  const FileState& state);
  void take_tree(std::size_t number, const SourceFile& file,
                 const std::optional<store::Source>& known, const formats::Adapter& adapter,
                 About about);

  // --- ingest_run_archive.cpp
  // ----------------------------------------------------------------------
  void take_archived(std::size_t number);

  // Whether nothing more is to be begun; the report says so from then on.
  bool stops();

  // --- ingest_run_jobs.cpp
  // ------------------------------------------------------------------------
  void archive(SourceProgress& taking, std::string_view bytes) const;
  // Moves what is woven into the load, with how far the source is taken by it; small files
  // share a load, a large one fills several. `set_read` says how far; null for what has no
  // update of its own.
  void send_on(SourceReader& source_reader, SourceProgress& taking,
               const std::function<void(SourceProgress&)>& set_read);
  void finish(SourceReader& source_reader, SourceProgress& taking,
              const std::function<void(SourceProgress&)>& set_read, const std::string& shown);
  // Moves what is woven into the load, and says where it stands there.
  UnitRange take_units(SourceReader& source_reader, const SourceProgress& taking);
  // `woven` are of the bytes that are still to be archived; none where the bytes are packed.
  void put_update(SourceProgress& taking, const std::string& state, bool is_whole,
                  UnitRange unit = {});
  void send();
  void arrived(const CommitJob& job, const Result<store::Committed>& committed);
  void report_on(SourceReader& source_reader, const std::string& path);
  void note_conversations(const std::vector<Cid>& conversations);
  void skip(const std::string& path, std::uint64_t line, std::string reason,
            std::uint64_t count = 1);
  void report_progress(std::uint64_t bytes);
  Report finished_report();

  const Options& options_;
  const store::Store& store_;
  const crypto::Keyring& keyring_;
  thought::Identities identities_;
  SourceSeal seal_;
  std::vector<File> files_;
  // Conversations that databases tell better than files: their format and name.
  std::set<std::pair<const formats::Adapter*, std::string>> in_databases_;
  bool first_round_ = true;
  Report report_;
  Progress progress_;
  std::set<Cid> met_;
  CommitJob job_;
  std::size_t job_bytes_ = 0;
  std::string chunk_;  // of a file, as it is read; kept, for small files come by the thousand

  std::mutex mutex_;
  std::map<Cid, std::uint64_t> new_thoughts_;  // guarded by mutex_
  std::vector<std::size_t> again_;             // guarded by mutex_; read when drained

  InFlight known_web_;
  Pipeline pipeline_;  // last: it calls arrived() until it is gone
};

}  // namespace weft::ingest

// Ingests transcripts: finds files, reads, frames, parses, weaves, signs, archives and commits
// them, on several cores and in bounded memory. Each file is read as far as it can be; the rest is
// reported, and nothing that is stored already is harmed. Of a file that was ingested before, only
// what was appended is read; one that was rewritten is read whole, and adds what is new in it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "weft/crypto/keyring.hpp"
#include "weft/ingest/discover/discover.hpp"
#include "weft/ingest/discover/selection.hpp"
#include "weft/store/store.hpp"

namespace weft::ingest {

// The progress of a run. Reported a few times a second, on the caller's thread.
struct Progress {
  std::uint64_t files = 0, files_total = 0;
  std::uint64_t bytes = 0, bytes_total = 0;
};

struct Options {
  std::vector<std::filesystem::path> paths{};  // files, and folders with files of any format
  std::vector<Folder> folders{};               // of one format each
  // Files of such folders that were found already. They are ingested as if their folders were
  // searched; nothing else in these folders is looked at.
  std::vector<Found> found{};
  // Sources whose files are gone, to be woven again from the archive.
  std::vector<store::Source> archived{};
  Selection selection{};
  std::optional<std::string> format{};  // overrides recognition by content
  std::optional<std::string> human{};   // who wrote a person's text, if not the owner
  std::optional<std::string> model{};   // the model, where a source does not name one
  bool index_sealed = true;             // whether sealed text can be searched, by blind terms
  std::function<Millis()> clock;        // dates checkpoints and facts, nothing else
  std::function<void(const Progress&)> progress{};
  // A commit is made once this much is pending.
  std::size_t commit_bytes = 8u << 20;
  // Maximum number of threads (weaving, signing, committing) that work at the same time. The web
  // does not depend on it.
  unsigned at_once = std::max(3u, std::thread::hardware_concurrency());
  // Whether a file may be read, by its real path once it is open: nobody can swap the file between
  // the check and the read. Null: any file may.
  std::function<bool(const std::filesystem::path& real)> may_read{};
  // Whether the selection also excludes files that are named in `paths`: for a caller that passes
  // on names which somebody else chose.
  bool excludes_named = false;
  // Checked between files, and between records or chunks of one. Once stopped, files that were read
  // to their end are committed, the current one stays at its last commit, and no other begins.
  std::stop_token stop{};
};

struct Skipped {
  std::string file;
  std::uint64_t line = 0;  // 0: the file as a whole
  std::string reason;
  // Above 1: this entry stands for that many of the same reason in the same file.
  std::uint64_t count = 1;
};

struct IngestedConversation {
  Cid cid;
  std::uint64_t new_thoughts = 0;
};

struct Report {
  std::vector<IngestedConversation> conversations;  // each once, in the order of first appearance
  std::uint64_t files = 0;                          // that are in the web now
  std::uint64_t bytes = 0;                          // that were read
  std::uint64_t unchanged = 0;                      // files that did not have to be read
  std::uint64_t new_thoughts = 0;                   // without checkpoints and facts
  std::vector<Skipped> skipped;
  std::vector<std::string> warnings;
  bool stopped = false;  // before everything was read; another run resumes from there
};

// Ingests any number of times. The pipeline's two threads and the signed identities are made once
// and reused by every run; between runs the threads wait. A run that fails does not affect the
// next: everything about the store's content is read from the store again, so a conversation that
// another process forgot between two runs stays forgotten.
//
// For one thread at a time.
class Ingester {
 public:
  // `store` and `keyring` outlive it; `keyring` can sign. Of `options`, `human`, `index_sealed` and
  // `at_once` count here, and for its whole life.
  Ingester(store::Store& store, const crypto::Keyring& keyring, const Options& options);
  ~Ingester();
  Ingester(const Ingester&) = delete;
  Ingester& operator=(const Ingester&) = delete;

  // Fails only if the store does (full disk, lost lock), or with conflict if other writers keep
  // changing the same conversations: what was committed stays, and another run resumes from there.
  Result<Report> ingest(const Options& options);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

// One run of an Ingester.
Result<Report> ingest(store::Store& store, const crypto::Keyring& keyring, const Options& options);

}  // namespace weft::ingest

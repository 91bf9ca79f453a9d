// Taking transcripts in: find, read, frame, parse, weave, sign, archive, commit; on all cores,
// in bounded memory. A file is taken as far as it can be read; what cannot is reported, and
// nothing that is stored already is harmed. Of a file that was taken in before only what is
// new is read; one that was written anew is read whole, and adds what it says that is new.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "weft/crypto/keyring.hpp"
#include "weft/ingest/discover/discover.hpp"
#include "weft/ingest/discover/selection.hpp"
#include "weft/store/store.hpp"

namespace weft::ingest {

// How far it has come, told a few times a second from the thread that called.
struct Progress {
  std::uint64_t files = 0, files_total = 0;
  std::uint64_t bytes = 0, bytes_total = 0;
};

struct Options {
  std::vector<std::filesystem::path> paths{};  // files, and folders with files of any format
  std::vector<Folder> folders{};               // of one format each
  // Files of such folders that somebody has found already: they are taken in as if their folders
  // were looked through, and nothing else there is looked at.
  std::vector<Found> found{};
  // Sources that are gone and are to be woven again from what the archive has of them.
  std::vector<store::Source> archived{};
  Selection selection{};
  std::optional<std::string> format{};  // overrules what the content looks like
  std::optional<std::string> human{};   // whose words a person's words are, if not the owner's
  std::optional<std::string> model{};   // who speaks where a source does not say
  bool index_sealed = true;             // whether sealed text can be found, by blind terms
  std::function<Millis()> clock;        // dates checkpoints and facts, nothing else
  std::function<void(const Progress&)> progress{};
  // Blocks wait for a commit until this much has come together.
  std::size_t commit_bytes = 8u << 20;
  // Of its threads (weaving, signing, writing) so many work at the same time at most.
  unsigned at_once = 3;
  // Whether a file may be read, by the name that it has once it is open and all links are
  // resolved: so nobody can put another one in its place between the question and the reading.
  // Null: any may.
  std::function<bool(const std::filesystem::path& real)> may_read{};
  // Whether what the selection excludes stays out even if it is named: where another names it than
  // who excluded it.
  bool excludes_named = false;
  // Asked between files and between records or pieces of one. Once stopped, files that are read
  // whole are committed, the one under way is left at its last commit, and nothing else begins.
  std::stop_token stop{};
};

struct Skipped {
  std::string file;
  std::uint64_t line = 0;  // 0: the file as a whole
  std::string reason;
  // More of the same reason in the same file than are worth listing: this one stands for
  // that many.
  std::uint64_t count = 1;
};

struct IngestedConversation {
  Cid cid;
  std::uint64_t new_thoughts = 0;
};

struct Report {
  std::vector<IngestedConversation> conversations;  // each once, in the order met
  std::uint64_t files = 0;                          // that are in the web now
  std::uint64_t bytes = 0;                          // that were read for it
  std::uint64_t unchanged = 0;                      // files of which nothing had to be read
  std::uint64_t new_thoughts = 0;                   // without checkpoints and facts
  std::vector<Skipped> skipped;
  std::vector<std::string> warnings;
  bool stopped = false;  // before all was taken: another run goes on from there
};

// Fails only if the store does (full disk, lost lock): what was committed stays, and
// another run goes on from there. `keyring` can sign.
Result<Report> ingest(store::Store& store, const crypto::Keyring& keyring, const Options& options);

}  // namespace weft::ingest

// Joins two chains of checkpoints of one conversation, which two machines with one keyring wove,
// each on its own.
//
//   WEFT_TRY_VALUE(auto joined, join_chains(ours, theirs, keyring, folder));
//   // joined.file: the chain that stays, and a checkpoint that follows it
//
// Which chain stays follows from the checkpoints alone, and so does everything that is made: two
// machines that join the same chains make the same thoughts. The last checkpoint covers a signed
// statement of what was given up (thought/statements/joining.hpp), and what only the chain that was
// given up had: its blocks as they are, in turns that follow those of the chain that stays.
#pragma once

#include <map>
#include <vector>

#include "weft/base/posix.hpp"
#include "weft/crypto/keyring.hpp"
#include "weft/ingest/thoughts_file.hpp"
#include "weft/remote/remote.hpp"

namespace weft::remote {

struct JoinSide {
  const ingest::ThoughtsFile& file;  // all of the conversation
  Cid tip;
};

enum class Kept { ours, theirs };

struct Joined {
  Kept kept = Kept::ours;
  Fd file{};                    // the lines of an import
  Tip tip{};                    // of what it holds
  std::vector<Cid> given_up{};  // checkpoints, the newest last
  std::map<Cid, Cid> turns{};   // of the chain that was given up: which turn stands for it now
  std::uint64_t brought = 0;    // blocks that only the chain which was given up had
};

// Which of two chains stays: where they part, the one whose checkpoint has the lower CID. That does
// not change when either grows, so a chain that was given up is never taken up again.
// Precondition: neither continues the other.
Kept which_stays(const std::vector<Cid>& ours, const std::vector<Cid>& theirs);

// The thoughts of both sides were checked. `keyring` can sign, and is the conversation's creator's;
// `scratch` is a folder for a file without a name. corrupt if a chain is not whole.
Result<Joined> join_chains(const JoinSide& ours, const JoinSide& theirs, const Cid& conversation,
                           const crypto::Keyring& keyring, const std::filesystem::path& scratch);

}  // namespace weft::remote

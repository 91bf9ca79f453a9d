// Records conversations that an agent pushes block by block while they happen.
//
//   recorder.start("my-session");
//   recorder.record("my-session", block, Role::human); // → the thought, on disk by now
//   recorder.stop("my-session");                       // → the conversation
//
// A block is in the web, signed and flushed to disk, before it is acknowledged. A session that was
// started and not stopped resumes after a restart. The blocks become the same thoughts as those of
// an anthropic-transcript file with the same blocks, times and session id, the conversation's own
// included (formats/adapters/anthropic_transcript/live_transcript.hpp lists what only a file can
// contain).
//
// A recorder keeps no state in memory: the state to resume from is sealed in the store
// (ledger.hpp). So several processes may record, even the same session; a block is then woven after
// those that were committed before it. The cost of a block does not depend on how many came before
// it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/base/cid.hpp"
#include "weft/base/json.hpp"
#include "weft/crypto/keyring.hpp"
#include "weft/ingest/ingest.hpp"
#include "weft/store/store.hpp"
#include "weft/transcript/conversation.hpp"

namespace weft::capture {

class Recorder {
 public:
  // Uses clock, human, model and index_sealed of `options`, as ingest does. `store` and `keyring`
  // outlive it; `keyring` can sign. Thread-safe.
  Recorder(store::Store& store, const crypto::Keyring& keyring, const ingest::Options& options);
  ~Recorder();
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  // Starts a session, or resumes one that was started or stopped before. invalid_input for an id
  // that is empty, too long (200 bytes) or has control characters; for one whose conversation was
  // ingested from a file, or was forgotten.
  Status start(const std::string& session_id);

  // Records a block in the form of a transcript: {"type": "text", "text": …}, thinking, tool_use,
  // tool_result… Without a role, a tool_result belongs to the open turn; thinking, tool_use and
  // text are the assistant's; pictures and files need a role. A block without times gets the
  // clock's. Equal blocks are recorded each time. not_found if the session is not recording;
  // invalid_input, with the reason, for what is not a block, or if the conversation was forgotten;
  // unavailable or conflict if it was not recorded and may be tried again.
  Result<Cid> record(const std::string& session_id, const json::object& block,
                     std::optional<transcript::Role> role);

  // Stops a session. not_found if it is not recording. invalid_input if nothing was ever recorded:
  // the session is stopped, and there is no conversation.
  Result<Cid> stop(const std::string& session_id);

  // The sessions that are recording, whichever process started them.
  Result<std::vector<std::string>> recording() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace weft::capture

// Conversations that an agent pushes block by block while they happen.
//
//   recorder.start("my-session");
//   recorder.take("my-session", block, Role::human);   // → the thought, on disk by now
//   recorder.stop("my-session");                       // → the conversation
//
// A block is in the web, signed and flushed to disk, before it is acknowledged. A session that was
// begun and not stopped goes on after a restart. The blocks give the very thoughts that an
// anthropic-transcript file with the same blocks, times and session id gives, the conversation's
// own included (formats/adapters/anthropic_transcript/live_transcript.hpp says where a file can
// know more).
//
// A recorder remembers nothing by itself: what going on takes lies sealed in the store
// (ledger.hpp). So several processes may record, even the same session; a block is then woven on
// whatever came first. What a block costs does not depend on how many came before it.
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
  // `options` as for ingest: clock, human, model, index_sealed. All else outlives it. `keyring`
  // can sign. Thread-safe.
  Recorder(store::Store& store, const crypto::Keyring& keyring, const ingest::Options& options);
  ~Recorder();
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  // Begins a session, or goes on with one that was begun or stopped before. invalid_input for an
  // id that is empty, too long (200 bytes) or has control characters; for one whose conversation
  // came from a file, or was forgotten.
  Status start(const std::string& session_id);

  // A block as transcripts have it: {"type": "text", "text": …}, thinking, tool_use, tool_result…
  // Without a role: a tool_result is of the turn that is open; thinking and tool_use are the
  // assistant's; text is the assistant's too unless the role says human; pictures and files need
  // one. A block without times is stamped with the clock's. not_found if the session is not
  // recording; invalid_input, saying why, for what is no block, or if the conversation was
  // forgotten; unavailable or conflict if it was not recorded and may be tried again. Each block
  // that is taken is one more, even one that says what the one before it says.
  Result<Cid> take(const std::string& session_id, const json::object& block,
                   std::optional<transcript::Role> role);

  // Ends it. not_found if it is not recording. invalid_input if nothing was ever taken: there is
  // no conversation then (the session is ended all the same).
  Result<Cid> stop(const std::string& session_id);

  // Those that are recording, whichever process began them.
  Result<std::vector<std::string>> recording() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace weft::capture

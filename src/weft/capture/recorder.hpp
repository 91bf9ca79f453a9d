// Conversations that an agent pushes block by block while they happen.
//
//   recorder.start("my-session");
//   recorder.take("my-session", block, Role::human);   // → the thought, on disk by now
//   recorder.stop("my-session");                       // → the conversation
//
// A block is in the web, signed and on disk, before it is acknowledged. A session that was begun
// and not stopped goes on after a restart. The blocks give the very thoughts that a transcript
// file with the same blocks gives.
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
  // id that is empty, too long (200 bytes) or has control characters.
  Status start(const std::string& session_id);

  // A block as transcripts have it: {"type": "text", "text": …}, thinking, tool_use, tool_result…
  // Without a role: a tool_result is of the turn that is open; thinking and tool_use are the
  // assistant's; text is the assistant's too unless the role says human. A block without times is
  // stamped with the clock's. not_found if the session is not recording; invalid_input, saying
  // why, for what is no block.
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

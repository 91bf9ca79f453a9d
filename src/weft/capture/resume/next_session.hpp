// NextSession: a conversation written as a new session of another tool, and the signed note by
// which weft knows the session again when it is ingested.
//
//   WEFT_TRY_VALUE(const NextSession next, write_session(library, row, agent, request));
//   WEFT_TRY(note_session(store, keyring, row.cid, next, now));  // first: no ingest misses it
//   … write next.native.text to next.native.path, a new file …
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "weft/formats/agent.hpp"
#include "weft/query/library.hpp"
#include "weft/thought/resumption.hpp"

namespace weft::capture {

struct SessionRequest {
  std::optional<std::string> upto{};  // the last thought; the whole conversation if it is empty
  formats::NewSession session{};
};

struct NextSession {
  formats::NativeSession native;
  std::size_t blocks = 0;          // that the session holds, as its own reader reads it
  bool from_compaction = false;    // too long as a whole: it begins with the last compaction
  bool is_long = false;            // and still longer than what surely fits
  std::size_t secrets = 0;         // distinct ones in the session
  bool is_other_provider = false;  // than that of the conversation
  // What the note says. Its copies are those blocks that the session's reader reads as they are.
  thought::Resumption resumption{};
  std::optional<Cid> last{};  // the last copied block
  std::vector<weave::PlaceKey> marks{};
};

// The library's keyring can sign. invalid_input if nothing of the
// conversation can be sent.
Result<NextSession> write_session(const query::Library& library, const store::ConversationRow& row,
                                  const formats::Agent& agent, const SessionRequest& request);

// Commits the note; returns its CID. The marks by which it is found are kept with `conversation`,
// which is that of write_session(). Fails as Writer::commit does.
Result<Cid> note_session(store::Store& store, const crypto::Keyring& keyring,
                         const Cid& conversation, const NextSession& next, Millis now);

}  // namespace weft::capture

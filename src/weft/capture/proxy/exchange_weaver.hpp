// From exchanges to the web: each is woven on the state that the exchanges before it left of its
// conversation, and committed with the state that the next one takes.
//
// There is one state for each conversation, sealed in the store as that of a source without a
// file, and found by how the conversation begins. So what an exchange costs depends on the
// conversation alone, however many others there are and however long the proxy runs; and several
// processes go on with the same.
#pragma once

#include <memory>

#include "weft/capture/proxy/exchange_log.hpp"
#include "weft/crypto/keyring.hpp"
#include "weft/ingest/ingest.hpp"
#include "weft/store/store.hpp"

namespace weft::capture {

enum class WeaveOutcome {
  yes,
  nothing_new,  // all of it was said before
  forgotten,    // its conversation was forgotten, and is not recorded again
};

class ExchangeWeaver {
 public:
  // `options` as for ingest: clock, human, model, index_sealed. All else outlives it. `keyring`
  // can sign. For one thread at a time.
  ExchangeWeaver(store::Store& store, const crypto::Keyring& keyring,
                 const ingest::Options& options);
  ~ExchangeWeaver();

  // In the store when it returns. unavailable if it may work later (a full disk, a lock); conflict
  // if others keep recording the same conversation.
  Result<WeaveOutcome> weave(const LoggedExchange& exchange);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace weft::capture

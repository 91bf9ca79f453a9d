// Weaves recorded exchanges into thoughts. Each exchange resumes the saved state of its
// conversation, and is committed together with the new state.
//
// Each conversation has one state, sealed in the store as that of a source without a file, and
// found by the beginning of the conversation. So the cost of an exchange depends on its own
// conversation alone, and several processes can record the same one.
#pragma once

#include <memory>

#include "weft/capture/proxy/exchange_log.hpp"
#include "weft/crypto/keyring.hpp"
#include "weft/ingest/ingest.hpp"
#include "weft/store/store.hpp"

namespace weft::capture {

enum class WeaveOutcome {
  woven,
  nothing_new,  // its content is in the store already
  forgotten,    // its conversation was forgotten, so it is not recorded
};

class ExchangeWeaver {
 public:
  // `options` as for ingest: clock, human, model, index_sealed. All else outlives it. `keyring`
  // can sign. For one thread at a time.
  ExchangeWeaver(store::Store& store, const crypto::Keyring& keyring,
                 const ingest::Options& options);
  ~ExchangeWeaver();

  // The exchange is in the store when it returns. unavailable if a retry may work (a full disk, a
  // lock); conflict if other processes keep recording the same conversation.
  Result<WeaveOutcome> weave(const LoggedExchange& exchange);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace weft::capture

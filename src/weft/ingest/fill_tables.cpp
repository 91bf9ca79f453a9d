#include "weft/ingest/fill_tables.hpp"

#include "weft/base/try.hpp"

namespace weft::ingest {

Status fill_tables(store::Store& store, const crypto::Keyring& keyring,
                   const std::function<void(const store::FillProgress&)>& progress,
                   const std::stop_token& stop) {
  WEFT_TRY_VALUE(store::FillProgress now, store.filling().progress());
  while (now.done < now.all && !stop.stop_requested()) {
    WEFT_TRY_VALUE(const bool more, store.filling().fill(keyring, store::kFillStep));
    if (!more) return {};
    WEFT_TRY_VALUE(now, store.filling().progress());
    if (progress) progress(now);
  }
  // Notes that nothing is missing.
  WEFT_TRY(store.filling().fill(keyring, store::kFillStep));
  return {};
}

}  // namespace weft::ingest

#include "weft/ingest/fill_tables.hpp"

#include "weft/base/try.hpp"

namespace weft::ingest {

Status fill_tables(store::Store& store, const crypto::Keyring& keyring,
                   const std::function<void(const store::FillProgress&)>& progress,
                   const std::stop_token& stop) {
  for (bool is_more_left = true; is_more_left && !stop.stop_requested();) {
    WEFT_TRY_VALUE(is_more_left, store.filling().fill(keyring, store::kFillStep));
    if (!is_more_left || !progress) continue;
    WEFT_TRY_VALUE(const store::FillProgress now, store.filling().progress());
    if (now.done < now.all) progress(now);
  }
  return {};
}

}  // namespace weft::ingest

// Fills the tables that an upgrade of the store left behind (store/tables/filling.hpp), in the
// foreground.
#pragma once

#include <functional>
#include <stop_token>

#include "weft/store/store.hpp"

namespace weft::ingest {

// Until nothing is missing, or `stop` is requested. `progress`, which may be null, is called now
// and then; not at all if nothing is missing.
Status fill_tables(store::Store& store, const crypto::Keyring& keyring,
                   const std::function<void(const store::FillProgress&)>& progress,
                   const std::stop_token& stop = {});

}  // namespace weft::ingest

#include "weft/ingest/ingest.hpp"

#include "weft/ingest/run.hpp"

namespace weft::ingest {

Result<Report> ingest(store::Store& store, const crypto::Keyring& keyring, const Options& options) {
  return Run(store, keyring, options).take_all();
}

}  // namespace weft::ingest

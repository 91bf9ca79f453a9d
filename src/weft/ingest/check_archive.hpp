// Checks the archive: opens every archived piece of every source.
#pragma once

#include <functional>
#include <vector>

#include "weft/crypto/keyring.hpp"
#include "weft/store/store.hpp"

namespace weft::ingest {

// One check for each source with archived bytes; they may run on several threads at once. Each
// opens all pieces, one at a time, and compares them with their sizes. None if the keyring cannot
// open the archive. Both outlive the checks.
Result<std::vector<std::function<Result<std::vector<store::StoreFinding>>()>>> archive_checks(
    const store::Store& store, const crypto::Keyring& keyring);

}  // namespace weft::ingest

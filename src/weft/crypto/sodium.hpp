// Initialises libsodium.
#pragma once

namespace weft::crypto {

// Call it before anything that needs random bytes or a fast implementation. Repeated calls are
// free; any thread may be first. Throws if the system has no source of randomness: no key could be
// trusted then.
void require_sodium();

}  // namespace weft::crypto

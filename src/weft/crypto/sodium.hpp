// libsodium, made ready.
#pragma once

namespace weft::crypto {

// Before any call that draws random bytes or picks a fast implementation. Once is
// enough, again is free, any thread may be first. Throws if the system has no
// source of randomness: nothing here could be trusted after that.
void require_sodium();

}  // namespace weft::crypto

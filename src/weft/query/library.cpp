#include "weft/query/library.hpp"

#include "weft/query/secrets/secret_mask.hpp"

namespace weft::query {

PinnedLibrary::PinnedLibrary(const store::Store& store, const crypto::Keyring* keyring,
                             Secrets secrets)
    : snapshot_(store.snapshot()),
      mask_(secrets == Secrets::masked ? std::make_unique<const SecretMask>(keyring) : nullptr),
      library_{*snapshot_, keyring, mask_.get()} {}

PinnedLibrary::PinnedLibrary(PinnedLibrary&&) noexcept = default;
PinnedLibrary::~PinnedLibrary() = default;

}  // namespace weft::query

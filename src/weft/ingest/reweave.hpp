// Weaves sources again that an older version of an adapter or of the weave wove: from the file, or
// from the archive if the file is gone. A source is otherwise resumed with the version it began
// with. A block that comes out equal adds nothing; one that differs supersedes the block at its
// place.
#pragma once

#include "weft/ingest/ingest.hpp"

namespace weft::ingest {

enum class Which {
  outdated,
  all,
  uncounted,  // with a conversation whose tokens are known, but not its model requests
};

// As ingest(), for every source that was ever ingested from a file; paths and folders of `options`
// are ignored. Sessions that were pushed block by block or recorded by the proxy are left out:
// there is nothing to read again. `unchanged` of the report also counts sources of today's
// versions.
Result<Report> reweave(store::Store& store, const crypto::Keyring& keyring, Options options,
                       Which which);

}  // namespace weft::ingest

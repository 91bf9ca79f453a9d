// Weaving again what an older weft wove. A source is gone on with as it was begun; when its adapter
// or the weave has another version, whoever wants what they say today has it woven once more: from
// the file, or from the archive where the file is gone. What comes out as it was adds nothing; a
// block that comes out otherwise supersedes the one that stood in its place.
#pragma once

#include "weft/ingest/ingest.hpp"

namespace weft::ingest {

enum class Which { outdated, all };

// As ingest(), of everything that was ever taken in from a file: what `options` says of paths and
// folders does not matter. Sessions that were pushed block by block, or passed through a proxy,
// are left alone: nothing of them is left to be read again. Of the report, `unchanged` counts what
// is woven by today's versions.
Result<Report> reweave(store::Store& store, const crypto::Keyring& keyring, Options options,
                       Which which);

}  // namespace weft::ingest

// The check of a search index in pages (inverted/inverted_index.hpp).
#pragma once

#include "weft/store/sql/derived/checks.hpp"

namespace weft::store::sql {

// That each document has as many terms in the index as its length says: a page or a run that was
// removed, exchanged or added shows. Its checksum tells of a changed page. Reads the whole index,
// in memory of four bytes a document; no thought, and no key is needed.
Status check_index_pages(Derivation& from, FindingList& out);

}  // namespace weft::store::sql

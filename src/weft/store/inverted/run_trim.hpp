// Removes from the beginning of a run what was copied from it into another.
#pragma once

#include <string>

#include "weft/store/inverted/index_pages.hpp"

namespace weft::store::sql {

// A posting's place in the order of a run.
struct PostingPlace {
  std::string term;
  Document document = 0;
};

// Removes all postings up to and with this place: of earlier terms, and of its term up to its
// document. A page that holds others too is written anew. Removes the run if nothing is left.
// corrupt
Status trim(IndexPages& pages, const IndexRun& run, const PostingPlace& place);

}  // namespace weft::store::sql

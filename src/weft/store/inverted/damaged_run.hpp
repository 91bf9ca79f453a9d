// The error of a damaged page of an inverted index: it names the run and the page, and no term,
// because terms are words of transcripts.
#pragma once

#include <string>
#include <string_view>

#include "weft/store/inverted/index_pages.hpp"

namespace weft::store::sql {

std::unexpected<Error> damaged_run(const IndexRun& run, PageKind kind, std::string_view key,
                                   std::string_view why);

// The body of a page of this run. corrupt, with the name of the page.
Result<std::string_view> body_of(const IndexRun& run, PageKind kind, std::string_view key,
                                 std::string_view page);
// It points into `page`, which outlives it.
Result<std::string_view> body_of(const IndexRun& run, PageKind kind, const IndexPage& page);
Result<std::string_view> body_of(const IndexRun& run, PageKind kind, IndexPage&& page) = delete;

}  // namespace weft::store::sql

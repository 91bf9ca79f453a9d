#include "weft/store/inverted/damaged_run.hpp"

#include "weft/store/inverted/term_page.hpp"

namespace weft::store::sql {
namespace {

std::string name_of(const IndexRun& run, PageKind kind, std::string_view key) {
  std::string name = kind == PageKind::terms ? "the page of terms" : "the page of positions";
  if (kind == PageKind::positions) {
    const Result<std::uint64_t> offset = offset_in_key(key);
    name += offset ? " from byte " + std::to_string(*offset) : " with a damaged key";
  } else {
    const Result<std::uint32_t> document = document_in_key(key);
    name += document ? " that begins with document " + std::to_string(run.first + *document)
                     : " with a damaged key";
  }
  return name + " in run " + std::to_string(run.number);
}

}  // namespace

std::unexpected<Error> damaged_run(const IndexRun& run, PageKind kind, std::string_view key,
                                   std::string_view why) {
  return fail(ErrorCode::corrupt, "the search index is damaged: " + name_of(run, kind, key) + ": " +
                                      std::string(why) + "; rebuild it with weft reindex");
}

Result<std::string_view> body_of(const IndexRun& run, PageKind kind, std::string_view key,
                                 std::string_view page) {
  const Result<std::string_view> body = page_body(key, page);
  if (!body) return damaged_run(run, kind, key, body.error().message);
  return body;
}

Result<std::string_view> body_of(const IndexRun& run, PageKind kind, const IndexPage& page) {
  return body_of(run, kind, page.key, page.body);
}

}  // namespace weft::store::sql

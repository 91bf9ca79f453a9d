#include "weft/store/inverted/position_reader.hpp"

#include <algorithm>

#include "weft/base/try.hpp"
#include "weft/store/inverted/damaged_run.hpp"
#include "weft/store/inverted/term_page.hpp"

namespace weft::store::sql {
namespace {

constexpr std::size_t kPagesAhead = 8;

}  // namespace

Result<std::string_view> PositionReader::read(std::uint64_t at, std::uint64_t size) {
  const bool is_behind = at >= begin_ && at <= end() && !bytes_.empty();
  if (is_behind) {
    // Kept until it is worth moving the rest.
    if (at + size > end()) {
      bytes_.erase(0, static_cast<std::size_t>(at - begin_));
      begin_ = at;
    }
  } else {
    bytes_.clear();
    begin_ = at;
  }
  for (std::size_t ahead = is_behind ? kPagesAhead : 1; at + size > end(); ahead = kPagesAhead) {
    WEFT_TRY(read_on(end(), ahead));
  }
  return std::string_view(bytes_).substr(static_cast<std::size_t>(at - begin_),
                                         static_cast<std::size_t>(size));
}

Status PositionReader::read_on(std::uint64_t from, std::size_t most) {
  const std::string wanted = position_key(from);
  WEFT_TRY_VALUE(auto pages, pages_->read_pages(run_.number, PageKind::positions, wanted, most));
  for (const IndexPage& page : pages) {
    WEFT_TRY_VALUE(auto body, body_of(run_, PageKind::positions, page));
    WEFT_TRY_VALUE(auto at, offset_in_key(page.key));
    const std::uint64_t skipped = end() - at;
    if (at > end() || skipped >= body.size()) {
      return damaged_run(run_, PageKind::positions, page.key, "it does not follow the one before");
    }
    bytes_ += body.substr(static_cast<std::size_t>(skipped));
  }
  if (pages.empty()) {
    return damaged_run(run_, PageKind::positions, wanted, "it is missing");
  }
  return {};
}

}  // namespace weft::store::sql

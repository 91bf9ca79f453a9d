#include "weft/search/fold.hpp"

#include <utf8proc.h>

#include <algorithm>

#include "weft/base/ascii.hpp"
#include "weft/base/utf8.hpp"
#include "weft/search/letters.hpp"

namespace weft::search {
namespace {

constexpr auto kOptions = static_cast<utf8proc_option_t>(
    UTF8PROC_CASEFOLD | UTF8PROC_COMPAT | UTF8PROC_COMPOSE | UTF8PROC_STABLE | UTF8PROC_IGNORE);

}  // namespace

void append_lower(std::string_view ascii, std::string& out) {
  const std::size_t before = out.size();
  out += ascii;
  for (std::size_t i = before; i < out.size(); ++i) out[i] = to_lower(out[i]);
}

void Folder::append(std::string_view text, std::string& out) {
  if (std::ranges::none_of(text, is_high)) {
    append_lower(text.substr(0, kMaxFoldedBytes), out);
    return;
  }
  text = cut_utf8(text, kMaxFoldedBytes);
  const auto decompose = [&] {
    return utf8proc_decompose(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                              static_cast<utf8proc_ssize_t>(text.size()), points_.data(),
                              static_cast<utf8proc_ssize_t>(points_.size()), kOptions);
  };
  utf8proc_ssize_t count = decompose();
  // One more than it takes: reencode ends its text with a zero.
  if (count > 0 && static_cast<std::size_t>(count) >= points_.size()) {
    points_.resize(std::max<std::size_t>(64, 2 * static_cast<std::size_t>(count)));
    count = decompose();
  }
  if (count <= 0) return;
  const utf8proc_ssize_t bytes = utf8proc_reencode(points_.data(), count, kOptions);
  if (bytes > 0) {
    out.append(reinterpret_cast<const char*>(points_.data()), static_cast<std::size_t>(bytes));
  }
}

}  // namespace weft::search

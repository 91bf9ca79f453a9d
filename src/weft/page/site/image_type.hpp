// Recognises images that a page may show. Pure.
#pragma once

#include <string_view>

namespace weft::page {

// "image/png", "image/jpeg", "image/gif" or "image/webp", by the first bytes; empty for anything
// else, SVG included, which may hold scripts.
std::string_view image_type(std::string_view bytes);

}  // namespace weft::page

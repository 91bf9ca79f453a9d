#include "weft/page/site/image_type.hpp"

#include <algorithm>

namespace weft::page {

std::string_view image_type(std::string_view bytes) {
  using namespace std::string_view_literals;
  if (bytes.starts_with("\x89PNG\r\n\x1a\n"sv)) return "image/png";
  if (bytes.starts_with("\xff\xd8\xff"sv)) return "image/jpeg";
  if (bytes.starts_with("GIF87a"sv) || bytes.starts_with("GIF89a"sv)) return "image/gif";
  if (bytes.starts_with("RIFF"sv) &&
      bytes.substr(std::min<std::size_t>(8, bytes.size())).starts_with("WEBP"sv)) {
    return "image/webp";
  }
  return {};
}

}  // namespace weft::page

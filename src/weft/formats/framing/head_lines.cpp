#include "weft/formats/framing/head_lines.hpp"

#include <algorithm>
#include <string>

#include "weft/base/utf8.hpp"

namespace weft::formats {

void each_head_line(std::string_view head, const std::function<bool(const json::object&)>& line) {
  constexpr int kLinesToTry = 50;
  for (int i = 0; i < kLinesToTry && !head.empty(); ++i) {
    const std::size_t end = std::min(head.find('\n'), head.size());
    std::string storage;
    std::size_t repairs = 0;
    const Result<ParsedJson> parsed =
        parse_json(repair_json(head.substr(0, end), storage, repairs));
    head.remove_prefix(std::min(end + 1, head.size()));
    const json::object* object = parsed ? parsed->value.if_object() : nullptr;
    if (object != nullptr && !line(*object)) return;
  }
}

}  // namespace weft::formats

#include "weft/base/json.hpp"

namespace weft {
namespace {

void append_line_start(std::string& out, std::size_t depth) {
  out += '\n';
  out.append(2 * depth, ' ');
}

void append_pretty(std::string& out, const json::value& value, std::size_t depth) {
  if (const json::array* array = value.if_array(); array != nullptr && !array->empty()) {
    char before = '[';
    for (const json::value& element : *array) {
      out += before;
      before = ',';
      append_line_start(out, depth + 1);
      append_pretty(out, element, depth + 1);
    }
    append_line_start(out, depth);
    out += ']';
  } else if (const json::object* object = value.if_object();
             object != nullptr && !object->empty()) {
    char before = '{';
    for (const auto& member : *object) {
      out += before;
      before = ',';
      append_line_start(out, depth + 1);
      append_canonical_string(out, {member.key().data(), member.key().size()});
      out += ": ";
      append_pretty(out, member.value(), depth + 1);
    }
    append_line_start(out, depth);
    out += '}';
  } else {
    append_canonical(out, value);
  }
}

}  // namespace

std::string pretty_json(const json::value& value) {
  std::string out;
  append_pretty(out, value, 0);
  return out;
}

}  // namespace weft

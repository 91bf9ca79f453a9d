#include "weft/base/json/compact.hpp"

namespace weft {

void append_compact(std::string& out, const json::value& value) {
  if (const json::array* array = value.if_array()) {
    char before = '[';
    if (array->empty()) out += before;
    for (const json::value& element : *array) {
      out += before;
      before = ',';
      append_compact(out, element);
    }
    out += ']';
  } else if (const json::object* object = value.if_object()) {
    char before = '{';
    if (object->empty()) out += before;
    for (const auto& member : *object) {
      out += before;
      before = ',';
      append_canonical_string(out, {member.key().data(), member.key().size()});
      out += ':';
      append_compact(out, member.value());
    }
    out += '}';
  } else {
    append_canonical(out, value);
  }
}

}  // namespace weft

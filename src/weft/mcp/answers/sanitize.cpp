#include "weft/mcp/answers/sanitize.hpp"

#include "weft/search/visible.hpp"

namespace weft::mcp {

std::string cleaned(std::string_view text) { return search::without_hidden(text); }

void clean(json::value& value) {
  if (json::string* text = value.if_string()) {
    if (search::has_hidden(view(*text))) {
      const std::string visible = cleaned(view(*text));
      text->assign(visible.data(), visible.size());
    }
  } else if (json::array* array = value.if_array()) {
    for (json::value& element : *array) clean(element);
  } else if (json::object* object = value.if_object()) {
    bool is_hidden = false;
    for (auto& member : *object) {
      clean(member.value());
      is_hidden = is_hidden || search::has_hidden({member.key().data(), member.key().size()});
    }
    if (!is_hidden) return;
    json::object visible;
    for (auto& member : *object) {
      visible[cleaned({member.key().data(), member.key().size()})] = std::move(member.value());
    }
    *object = std::move(visible);
  }
}

}  // namespace weft::mcp

#include "weft/mcp/paging.hpp"

#include <algorithm>
#include <string>

#include "weft/base/utf8.hpp"
#include "weft/mcp/tool.hpp"

namespace weft::mcp {
namespace {

constexpr std::size_t kCountedChars = 1'000;
constexpr std::size_t kConciseCodePoints = 300;

void shorten(json::value& value) {
  if (json::string* text = value.if_string()) {
    const std::string_view kept = slice_code_points(view(*text), 0, kConciseCodePoints);
    if (kept.size() == text->size()) return;
    const std::string shorter = std::string(kept) + "…";
    text->assign(shorter.data(), shorter.size());
  } else if (json::array* array = value.if_array()) {
    for (json::value& element : *array) shorten(element);
  } else if (json::object* object = value.if_object()) {
    for (auto& member : *object) shorten(member.value());
  }
}

}  // namespace

std::uint64_t room_in(const Call& call) {
  const auto most =
      static_cast<std::uint64_t>(find_int(call.arguments(), "max_chars").value_or(kDefaultChars));
  return most - most / 10;
}

bool leave_out(json::object& structured, std::string_view list, std::uint64_t room) {
  json::value* value = structured.if_contains(list);
  json::array* elements = value == nullptr ? nullptr : value->if_array();
  if (elements == nullptr) return false;
  std::uint64_t taken = 0;
  std::size_t kept = 0;
  for (; kept < elements->size(); ++kept) {
    taken += std::min(canonical_json((*elements)[kept]).size(), kCountedChars);
    if (kept > 0 && taken > room) break;
  }
  if (kept == elements->size()) return false;
  elements->resize(kept);
  return true;
}

void make_concise(json::object& thought) {
  thought.erase("signature");
  json::value* content = thought.if_contains("content");
  if (content == nullptr || !content->is_object()) return;
  content->get_object().erase("signature");
  shorten(*content);
}

}  // namespace weft::mcp

#include "weft/mcp/answers/paging.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "weft/base/utf8.hpp"
#include "weft/mcp/answers/argument_lookup.hpp"
#include "weft/mcp/answers/rendering.hpp"
#include "weft/mcp/protocol/parameter.hpp"
#include "weft/mcp/protocol/tool.hpp"

namespace weft::mcp {
namespace {

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

std::function<bool(const json::object&)> room_for(std::uint64_t chars) {
  return [chars](const json::object& thought) mutable {
    chars -= std::min<std::uint64_t>(chars, least_chars(thought));
    return chars > 0;
  };
}

bool leave_out(json::object& structured, std::string_view list, std::uint64_t room) {
  json::value* value = structured.if_contains(list);
  json::array* elements = value == nullptr ? nullptr : value->if_array();
  if (elements == nullptr) return false;
  std::uint64_t used = 0;
  std::size_t kept = 0;
  for (; kept < elements->size(); ++kept) {
    used += least_chars((*elements)[kept]) + 1;
    if (kept > 0 && used > room) break;
  }
  if (kept == elements->size()) return false;
  elements->resize(kept);
  return true;
}

void make_concise(json::object& thought) {
  thought.erase("signature");
  if (json::value* summary = thought.if_contains("summary")) shorten(*summary);
  json::value* content = thought.if_contains("content");
  if (content == nullptr || !content->is_object()) return;
  content->get_object().erase("signature");
  shorten(*content);
}

std::string list_head(std::string_view what, std::string_view tool, const json::object& answer,
                      const json::object& arguments) {
  const std::size_t shown = list_in(answer, "conversations").size();
  const std::uint64_t offset = whole_in(arguments, "offset");
  const std::uint64_t total = count_or_zero(answer, "total");
  if (total == 0) return "No matching conversations.\n" + notes_in(answer);
  std::string out =
      fmt::format("{}, most recently changed first: {}.\n", what, span_of(offset, shown, total));
  if (offset + shown < total) {
    json::object next = arguments;
    next["offset"] = offset + shown;
    out += "More: " + call_of(tool, next) + "\n";
  }
  return out;
}

Served<> list_answer(Call& call, Result<json::object> answer,
                     const std::function<std::string(const json::object&)>& render) {
  if (!answer) return no_answer(call, answer.error());
  leave_out(*answer, "conversations", room_in(call));
  return tool_result(call, *std::move(answer), render);
}

}  // namespace weft::mcp

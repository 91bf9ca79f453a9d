#include <algorithm>
#include <functional>
#include <optional>

#include "weft/base/utf8.hpp"
#include "weft/formats/adapters/codex/line.hpp"
#include "weft/formats/adapters/codex/session.hpp"
#include "weft/formats/framing/head_lines.hpp"
#include "weft/formats/reading/text.hpp"

namespace weft::formats::codex {
namespace {

// A first line may be longer than the head: instructions and tools are in it.
bool begins_with_meta(std::string_view head) {
  constexpr std::size_t kNear = 256;
  const std::string_view near = head.substr(0, kNear);
  return near.starts_with("{\"") && near.find("\"payload\":{") != std::string_view::npos &&
         (near.find("\"type\":\"session_meta\"") != std::string_view::npos ||
          near.find("\"type\":\"response_item\"") != std::string_view::npos);
}

// Items of the Responses API, which others log, too; or the first drafts of a rollout.
bool is_weak_item(const json::object& object, const Line& line) {
  if (line.type.empty()) {
    return find_string(object, "timestamp") && find_string(object, "content");
  }
  if (line.type == "tool_call") return object.contains("function");
  if (line.type == "tool_result") return object.contains("result") && object.contains("timestamp");
  if (line.type == "message") return find_string(object, "role") && find_array(object, "content");
  if (line.type == "reasoning") {
    return find_array(object, "summary") != nullptr || object.contains("encrypted_content");
  }
  return find_string(object, "call_id") || find_object(object, "action") != nullptr;
}

Confidence confidence_of(const json::object& object) {
  const Line line = parse_line(object);
  const bool has_envelope = line.payload != &object;
  switch (line.shape) {
    case Shape::none: return Confidence::no;
    case Shape::unknown:
    case Shape::internal:
    case Shape::mirror: return has_envelope ? Confidence::maybe : Confidence::no;
    case Shape::item:
      if (has_envelope) return Confidence::yes;
      return is_weak_item(object, line) ? Confidence::maybe : Confidence::no;
    case Shape::exec: return line.type == "error" ? Confidence::no : Confidence::yes;
    case Shape::compacted:
    case Shape::context:
    case Shape::event:
    case Shape::meta: return Confidence::yes;
  }
  return Confidence::no;
}

}  // namespace

bool is_document(std::string_view head) {
  const auto skip_blanks = [&] {
    head.remove_prefix(std::min(head.find_first_not_of(kBlanks), head.size()));
  };
  const auto take = [&](std::string_view word) {
    skip_blanks();
    if (!head.starts_with(word)) return false;
    head.remove_prefix(word.size());
    return true;
  };
  if (!take("{") || !take("\"session\"") || !take(":") || !take("{")) return false;
  return head.find("\"id\"") != std::string_view::npos &&
         head.find("\"timestamp\"") != std::string_view::npos &&
         head.find("\"items\"") != std::string_view::npos;
}

Confidence recognise_session(std::string_view head) {
  if (is_document(head) || begins_with_meta(head)) return Confidence::yes;
  int weak = 0, foreign = 0;
  bool is_sure = false, has_calls = false;
  each_head_line(head, [&](const json::object& object) {
    const Confidence one = confidence_of(object);
    is_sure = one == Confidence::yes;
    weak += one == Confidence::maybe ? 1 : 0;
    foreign += one == Confidence::no && !find_string(object, "record_type") &&
                       find_string(object, "type") != "error"
                   ? 1
                   : 0;
    has_calls |= one == Confidence::maybe && object.contains("type");
    // What none of Codex's lines look like, before any of them, is somebody else's.
    return !is_sure && foreign == 0;
  });
  if (is_sure) return Confidence::yes;
  return weak > 0 && foreign == 0 && has_calls ? Confidence::maybe : Confidence::no;
}

std::string project_of_head(std::string_view head) {
  std::string cwd;
  each_head_line(head, [&](const json::object& object) {
    const Line line = parse_line(object);
    if (line.shape == Shape::meta || line.shape == Shape::context) {
      cwd = find_string(*line.payload, "cwd").value_or("");
    }
    return cwd.empty();
  });
  if (cwd.empty() && begins_with_meta(head)) {
    // The line is cut, but its cwd comes before what makes it long.
    constexpr std::string_view kKey = "\"cwd\":";
    const std::size_t at = head.find(kKey);
    const std::size_t open = at == std::string_view::npos ? at : head.find('"', at + kKey.size());
    std::size_t close = open;
    do {
      close = close == std::string_view::npos ? close : head.find('"', close + 1);
    } while (close != std::string_view::npos && head[close - 1] == '\\');
    if (close != std::string_view::npos) {
      const Result<ParsedJson> parsed = parse_json(head.substr(open, close - open + 1));
      if (parsed && parsed->value.is_string()) cwd = view(parsed->value.get_string());
    }
  }
  return std::string(last_component(cwd));
}

}  // namespace weft::formats::codex

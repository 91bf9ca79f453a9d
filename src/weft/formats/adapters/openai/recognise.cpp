#include "weft/formats/adapters/openai/recognise.hpp"

#include <algorithm>
#include <vector>

#include "weft/formats/adapters/openai/recognise_body.hpp"
#include "weft/formats/framing/json_pieces.hpp"
#include "weft/formats/framing/lines.hpp"
#include "weft/formats/reading/partial_object.hpp"
#include "weft/formats/reading/text.hpp"

namespace weft::formats::openai {
namespace {

constexpr std::size_t kBodiesToLookAt = 50;

bool is_sse(std::string_view head) {
  return head.starts_with("event:") || head.starts_with("data:") || head.starts_with(":") ||
         head.starts_with("id:") || head.starts_with("retry:");
}

std::vector<BodyLook> looks_in_events(std::string_view head) {
  std::vector<BodyLook> looks;
  Lines lines(head, 1);
  while (const auto line = lines.next()) {
    constexpr std::string_view kData = "data:";
    if (!line->text.starts_with(kData) || looks.size() >= kBodiesToLookAt) continue;
    const std::string_view data = trim(line->text.substr(kData.size()));
    const bool is_last = !lines.peek();
    if (data == "[DONE]" || (is_last && !looks.empty())) continue;
    looks.push_back(look_at(PartialObject(data, 1)));
  }
  return looks;
}

std::vector<BodyLook> looks_in_lines(std::string_view head) {
  std::vector<BodyLook> looks;
  Lines lines(head, 1);
  while (const auto line = lines.next()) {
    if (looks.size() >= kBodiesToLookAt) break;
    const PartialObject body(line->text, 1);
    // The last line may be cut before it shows what it is.
    const bool is_last = !lines.peek();
    const BodyLook look = body.members().empty() ? BodyLook::nothing : look_at(body);
    if (is_last && !looks.empty() && look == BodyLook::foreign) continue;
    // Messages alone, line by line, may be anybody's.
    const bool is_message = body.has("role") && look != BodyLook::foreign;
    looks.push_back(is_message ? BodyLook::nothing : look);
    if (look == BodyLook::foreign) break;
  }
  return looks;
}

// A list of messages is ours if it says so, but others have such lists too.
std::vector<BodyLook> looks_in_array(std::string_view head) {
  std::vector<BodyLook> looks;
  for (const PartialObject& body : PartialObject::elements_of(head, 1)) {
    if (looks.size() >= kBodiesToLookAt) break;
    if (body.members().empty()) continue;
    BodyLook look = look_at(body);
    if (body.has("role") && look != BodyLook::foreign) {
      look = look == BodyLook::own ? BodyLook::plain : BodyLook::nothing;
    }
    looks.push_back(look);
  }
  return looks;
}

}  // namespace

Confidence recognises(std::string_view head) {
  head = trim(head);
  std::vector<BodyLook> looks;
  if (is_sse(head)) looks = looks_in_events(head);
  else if (head.starts_with('[')) looks = looks_in_array(head);
  else if (is_over_lines(head)) looks.push_back(look_at(PartialObject(head, 1)));
  else if (head.starts_with('{')) looks = looks_in_lines(head);
  if (looks.empty() || std::ranges::find(looks, BodyLook::foreign) != looks.end()) {
    return Confidence::no;
  }
  switch (std::ranges::max(looks)) {
    case BodyLook::own: return Confidence::yes;
    case BodyLook::plain: return Confidence::maybe;
    default: return Confidence::no;
  }
}

std::unique_ptr<Framer> frame(std::string_view head) {
  const std::size_t first = head.find_first_not_of(kBlanks);
  const std::string_view text = first == std::string_view::npos ? "" : head.substr(first);
  if (is_sse(text)) return sse_framer();
  if (text.starts_with('[') && !text.starts_with("[DONE]")) return json_framer({});
  return is_over_lines(text) ? values_framer() : line_framer();
}

}  // namespace weft::formats::openai

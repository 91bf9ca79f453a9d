#include "weft/formats/adapters/litellm/recognise.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "weft/formats/framing/json_pieces.hpp"
#include "weft/formats/framing/lines.hpp"
#include "weft/formats/reading/partial_object.hpp"
#include "weft/formats/reading/text.hpp"

namespace weft::formats::litellm {
namespace {

constexpr std::size_t kBodiesToLookAt = 20;

bool is_record(const PartialObject& body) {
  const bool is_priced = body.has("response_cost") || body.has("spend");
  const bool is_named = body.has("id") || body.has("request_id");
  if (body.has("call_type") && is_named) {
    return is_priced || body.has("custom_llm_provider") || body.has("litellm_call_id");
  }
  const std::string type = body.string("type").value_or("");
  return type.ends_with("-create") && body.has_object("body");
}

// The name of the list that a document is, if it is one.
std::optional<std::string> list_in(const PartialObject& body) {
  for (const char* key : {"batch", "data"}) {
    if (!body.has_array(key) || body.has("call_type")) continue;
    const std::vector<PartialObject> records = body.elements(key);
    if (!records.empty() && is_record(records.front())) return key;
  }
  return std::nullopt;
}

bool is_own(const PartialObject& body) { return is_record(body) || list_in(body); }

}  // namespace

Confidence recognises(std::string_view head) {
  head = trim(head);
  std::vector<PartialObject> bodies;
  if (head.starts_with('[')) {
    bodies = PartialObject::elements_of(head, 1);
  } else if (is_over_lines(head)) {
    bodies.emplace_back(head, 1);
  } else if (head.starts_with('{')) {
    Lines lines(head, 1);
    while (const auto line = lines.next()) {
      if (bodies.size() >= kBodiesToLookAt) break;
      bodies.emplace_back(line->text, 1);
      if (bodies.size() == 1 && !is_own(bodies.front())) return Confidence::no;
    }
  }
  // One that is torn says little; the first says all.
  const bool is_any = std::ranges::any_of(bodies, is_own);
  const bool begins = !bodies.empty() && is_own(bodies.front());
  return is_any && begins ? Confidence::yes : Confidence::no;
}

std::unique_ptr<Framer> frame(std::string_view head) {
  const std::string_view text = trim(head);
  if (text.starts_with('[')) return json_framer({});
  if (!is_over_lines(text)) return line_framer();
  if (const auto list = list_in(PartialObject(text, 1))) return json_framer({*list});
  return values_framer();
}

}  // namespace weft::formats::litellm

#include "weft/formats/adapters/qwen/entry.hpp"

#include "weft/formats/reading/members.hpp"

namespace weft::formats::qwen {

const json::value* Entry::parts() const {
  const json::object* message = find_object(object, "message");
  return message == nullptr ? nullptr : find_member(*message, "parts");
}

std::string_view Entry::payload_text(std::string_view key) const {
  return payload == nullptr ? std::string_view() : find_string(*payload, key).value_or("");
}

Entry parse_entry(const json::object& object) {
  Entry entry{.object = object,
              .type = find_string(object, "type").value_or(""),
              .subtype = find_string(object, "subtype").value_or(""),
              .provenance = find_string(object, "provenance").value_or(""),
              .uuid = find_id(object, "uuid"),
              .session = find_id(object, "sessionId"),
              .agent = find_id(object, "agentId"),
              .model = find_id(object, "model")};
  if (const auto time = find_string(object, "timestamp")) entry.time = parse_iso8601(*time);
  entry.is_sidechain = find_bool(object, "isSidechain").value_or(false);
  entry.payload = find_object(object, "systemPayload");
  if (const json::value* parent = find_member(object, "parentUuid")) {
    if (parent->is_null()) {
      entry.follows = Entry::Follows::nothing;
    } else if (parent->is_string()) {
      entry.follows = Entry::Follows::named;
      entry.parent = view(parent->get_string());
    }
  }
  return entry;
}

}  // namespace weft::formats::qwen

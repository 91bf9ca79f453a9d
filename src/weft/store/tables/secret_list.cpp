#include "weft/store/tables/secret_list.hpp"

#include <algorithm>

#include "weft/base/try.hpp"
#include "weft/store/tables/unpacker.hpp"

namespace weft::store {
namespace {

constexpr std::string_view kContent = "/content";

// A step of a JSON Pointer (RFC 6901).
void append_step(std::string& pointer, std::string_view name) {
  pointer += '/';
  for (const char c : name) {
    if (c == '~') pointer += "~0";
    else if (c == '/') pointer += "~1";
    else pointer += c;
  }
}

class SecretVisitor {
 public:
  SecretVisitor(std::string_view root, secrets::Tier least,
                const std::function<void(const FoundSecret&)>& visit)
      : pointer_(root), least_(least), visit_(visit) {}

  void members(const json::object& object) {
    for (const auto& [key, value] : object) {
      const std::string_view name(key.data(), key.size());
      const std::size_t size = pointer_.size();
      const auto findings = secrets::find_secrets(name, least_);
      if (findings.empty()) {
        append_step(pointer_, name);
      } else {
        pointer_.append("/[secret ").append(findings.front().rule->name).append("]");
        report(name, findings);
      }
      any(value);
      pointer_.resize(size);
    }
  }

 private:
  void any(const json::value& value) {
    if (const json::string* text = value.if_string()) {
      const std::string_view whole(text->data(), text->size());
      report(whole, secrets::find_secrets(whole, least_));
    } else if (const json::array* array = value.if_array()) {
      const std::size_t size = pointer_.size();
      for (std::size_t i = 0; i < array->size(); ++i) {
        append_step(pointer_, std::to_string(i));
        any((*array)[i]);
        pointer_.resize(size);
      }
    } else if (const json::object* object = value.if_object()) {
      members(*object);
    }
  }
  void report(std::string_view text, const std::vector<secrets::Finding>& findings) {
    for (const secrets::Finding& finding : findings) visit_({pointer_, text, finding});
  }

  std::string pointer_;
  const secrets::Tier least_;
  const std::function<void(const FoundSecret&)>& visit_;
};

}  // namespace

void each_secret(const json::object& members, std::string_view root, secrets::Tier least,
                 const std::function<void(const FoundSecret&)>& visit) {
  SecretVisitor(root, least, visit).members(members);
}

bool may_have_secrets(std::string_view type) {
  const std::string_view kind = thought::kind_of(type);
  return is_searched(type) || kind == "conversation_facts" || kind == "redacted_thinking" ||
         kind == "web_resource";
}

ThoughtSecrets secrets_of(const thought::Thought& thought, const OpenLayers& layers,
                          const Fingerprints& fingerprints) {
  ThoughtSecrets out;
  if (!may_have_secrets(thought.type)) return out;
  out.has_metadata = thought.layers.metadata.has_value();
  out.has_content = thought.layers.content.has_value();
  out.is_whole = !(out.has_metadata && layers.metadata.empty()) &&
                 !(out.has_content && layers.content.empty());
  const auto look = [&](const json::object& members, Portion portion) {
    each_secret(members, kContent, secrets::Tier::sure, [&](const FoundSecret& found) {
      out.places.push_back({.portion = portion,
                            .member = std::string(found.member),
                            .offset = found.finding.offset,
                            .length = found.finding.length,
                            .rule = std::string(found.finding.rule->name),
                            .fingerprint = fingerprints.of(found.value())});
    });
  };
  look(thought.content, Portion::clear);
  for (const auto& [text, portion] :
       {std::pair(&layers.metadata, Portion::metadata), {&layers.content, Portion::content}}) {
    if (text->empty()) continue;
    const Result<ParsedJson> parsed = parse_json(*text);
    if (parsed && parsed->value.is_object()) look(parsed->value.get_object(), portion);
  }
  return out;
}

std::string pack(const std::vector<SecretRow>& rows, Portion portion) {
  std::string out;
  sql::Id before = 0;
  const auto append_text = [&out](std::string_view text) {
    sql::append_varint(out, text.size());
    out += text;
  };
  for (const SecretRow& row : rows) {
    if (row.place.portion != portion) continue;
    append_signed(out, distance(before, row.thought));
    before = row.thought;
    append_text(row.place.rule);
    append_text(row.place.member);
    sql::append_varint(out, row.place.offset);
    sql::append_varint(out, row.place.length);
    out.append(reinterpret_cast<const char*>(row.place.fingerprint.data()),
               row.place.fingerprint.size());
  }
  return out;
}

Status unpack_secrets(std::string_view bytes, Portion portion, std::vector<SecretRow>& out) {
  Unpacker unpacker(bytes);
  sql::Id before = 0;
  while (!unpacker.is_at_end()) {
    SecretRow row{.place = {.portion = portion}};
    row.thought = before = moved(before, unpacker.take_signed());
    row.place.rule = unpacker.take_text();
    row.place.member = unpacker.take_text();
    row.place.offset = unpacker.take();
    row.place.length = unpacker.take();
    const std::string_view name = unpacker.take_bytes(row.place.fingerprint.size());
    std::copy_n(reinterpret_cast<const std::uint8_t*>(name.data()), name.size(),
                row.place.fingerprint.begin());
    if (!name.empty()) out.push_back(std::move(row));
  }
  return unpacker.status();
}

}  // namespace weft::store

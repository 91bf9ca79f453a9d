#include "weft/mcp/answers/resource_content.hpp"

#include "weft/mcp/answers/answer_size.hpp"
#include "weft/mcp/answers/sanitize.hpp"
#include "weft/mcp/protocol/tool.hpp"
#include "weft/mcp/protocol/uri.hpp"

namespace weft::mcp {
namespace {

// One more than a client ever gets, so that the server knows whether there are more.
constexpr std::size_t kMost = 101;
constexpr std::size_t kLeastDigits = 8;

json::object contents(std::string_view uri, std::string_view mime_type, std::string text) {
  return {{"contents", json::array{json::object{
                           {"uri", uri}, {"mimeType", mime_type}, {"text", std::move(text)}}}}};
}

std::string_view without_prefix(std::string_view prefix) {
  return prefix.starts_with(Cid::kPrefix) ? prefix.substr(Cid::kPrefix.size()) : prefix;
}

template <class Name>
std::vector<std::string> conversations(const ServerContext& context, const Name& name) {
  std::vector<std::string> out;
  const auto rows = context.store.conversations({});
  if (!rows) return out;
  for (const store::ConversationRow& row : *rows) {
    if (out.size() == kMost) break;
    if (std::optional<std::string> text = name(row)) out.push_back(*std::move(text));
  }
  return out;
}

}  // namespace

json::object json_contents(std::string_view uri, json::object document) {
  json::value value(std::move(document));
  clean(value);
  json::object& cleaned_object = value.get_object();
  if (fit(cleaned_object, kMostChars)) {
    cleaned_object["cut"] = "Texts were cut to the maximum size of a resource.";
  }
  return contents(uri, "application/json", pretty_json(value));
}

json::object text_contents(std::string_view uri, std::string text) {
  return contents(uri, "text/plain", std::move(text));
}

Listed listed(const json::object& conversation) {
  const auto text = [&](std::string_view key) {
    return cleaned(find_string(conversation, key).value_or(""));
  };
  const std::string title = text("title");
  const std::string cid = text("cid");
  const std::string_view digits = without_prefix(cid);
  std::string about = text("format");
  if (const std::string project = text("project"); !project.empty()) about += ", " + project;
  return {.uri = expand_uri("weft://conversation/{cid}", digits),
          .name = text("format") + ":" + text("session_id"),
          .title = title,
          .description = about,
          .mime_type = "application/json",
          .updated_at = find_int(conversation, "updated_at")};
}

std::vector<std::string> complete_thought(Call& call, std::string_view prefix) {
  const std::string_view digits = without_prefix(prefix);
  std::vector<std::string> out;
  if (digits.size() < kLeastDigits) return out;
  const auto found = call.context().store.find_by_prefix(digits, kMost);
  if (!found) return out;
  for (const Cid& cid : *found) out.push_back(cid.str());
  return out;
}

std::vector<std::string> complete_conversation(Call& call, std::string_view prefix) {
  const std::string_view digits = without_prefix(prefix);
  return conversations(call.context(),
                       [&](const store::ConversationRow& row) -> std::optional<std::string> {
                         const std::string cid = row.cid.str();
                         if (!without_prefix(cid).starts_with(digits) && !cid.starts_with(prefix))
                           return std::nullopt;
                         return cid;
                       });
}

std::vector<std::string> complete_session(Call& call, std::string_view prefix) {
  return conversations(call.context(),
                       [&](const store::ConversationRow& row) -> std::optional<std::string> {
                         if (row.source != "primary") return std::nullopt;
                         const std::string name = row.format + ":" + row.session_id;
                         if (!name.starts_with(prefix) && !row.session_id.starts_with(prefix))
                           return std::nullopt;
                         return name;
                       });
}

}  // namespace weft::mcp

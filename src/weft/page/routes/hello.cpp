// GET /api/hello: what this server is, and what its keys open.
#include "weft/base/try.hpp"
#include "weft/page/route.hpp"
#include "weft/page/site/files.hpp"

namespace weft::page {
namespace {

// "none", "metadata" or "content": what the server's keyring opens.
std::string_view keys_of(const crypto::Keyring* keyring) {
  if (keyring == nullptr) return "none";
  if (keyring->layer(crypto::Layer::content) != nullptr) return "content";
  return keyring->layer(crypto::Layer::metadata) != nullptr ? "metadata" : "none";
}

Result<json::object> hello(const Asking& asking) {
  WEFT_TRY_VALUE(const auto changes, asking.library.web.changes_since({}));
  WEFT_TRY_VALUE(const auto rows, asking.library.web.conversations({}));
  std::uint64_t blocks = 0;
  for (const store::ConversationRow& row : rows) blocks += row.block_count;
  json::object answer{{"version", asking.context.version},
                      {"build", json::string(build_of_page())},
                      {"keys", json::string(keys_of(asking.context.keyring))},
                      {"conversations", rows.size()},
                      {"blocks", blocks},
                      {"checkpoint", nullptr},
                      {"files", asking.context.file_texts == FileTexts::shown}};
  if (const crypto::Keyring* keyring = asking.context.keyring) {
    answer["owner"] = {{"name", keyring->owner_name()}, {"pubkey", keyring->owner_key().str()}};
  }
  if (changes.checkpoint) answer["checkpoint"] = changes.checkpoint->str();
  return answer;
}

}  // namespace

const Route& hello_route() {
  static const Route route = {
      .path = "/api/hello",
      .output_schema = R"({"title": "Hello", "type": "object", "properties": {
  "version": {"type": "string"}, "build": {"type": "string"},
  "keys": {"type": "string", "enum": ["none", "metadata", "content"]},
  "conversations": {"type": "integer"}, "blocks": {"type": "integer"},
  "checkpoint": {"type": ["string", "null"], "description": "the newest of the store"},
  "files": {"type": "boolean", "description": "whether this server shows the texts of files"},
  "owner": {"title": "Owner", "type": "object", "description": "whom the keyring names; not without one",
    "properties": {"name": {"type": "string"}, "pubkey": {"type": "string"}}, "required": ["name", "pubkey"]}},
  "required": ["version", "build", "keys", "conversations", "blocks", "checkpoint", "files"]})",
      .answer = hello,
  };
  return route;
}

}  // namespace weft::page

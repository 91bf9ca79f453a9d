#include "weft/remote/describe.hpp"

#include <algorithm>

#include "weft/base/try.hpp"
#include "weft/query/questions.hpp"
#include "weft/query/secrets/secret_mask.hpp"

namespace weft::remote {
namespace {

// Beyond these, one question about all is faster than one each.
constexpr std::size_t kAskedSingly = 16;

Status add_secrets(const query::Library& library, const std::optional<Cid>& conversation,
                   ClearSecrets& out) {
  WEFT_TRY_VALUE(const auto table,
                 library.web.secrets({.conversation = conversation, .keyring = library.keyring}));
  for (const store::SecretEntry& entry : table.entries) {
    if (entry.place.portion != store::Portion::clear) continue;
    std::vector<std::string>& rules = out[entry.conversation];
    const bool is_new = std::ranges::find(rules, entry.place.rule) == rules.end();
    if (is_new) rules.push_back(entry.place.rule);
  }
  return {};
}

}  // namespace

Described describe_conversation(const query::Library& library, const store::ConversationRow& row) {
  const json::object about = query::describe(library, row);
  const query::SecretMask mask(library.keyring);
  const auto text = [&](std::string_view name) {
    return std::string(find_string(about, name).value_or(""));
  };
  return {.named = {.conversation = row.cid,
                    .session_id = row.session_id,
                    .project = text("project"),
                    .title = mask.masked(text("title"))},
          .folder = text("cwd")};
}

Result<ClearSecrets> find_clear_secrets(const query::Library& library,
                                        std::span<const Cid> conversations) {
  ClearSecrets found;
  if (conversations.size() > kAskedSingly) {
    WEFT_TRY(add_secrets(library, {}, found));
    return found;
  }
  for (const Cid& conversation : conversations) {
    WEFT_TRY(add_secrets(library, conversation, found));
  }
  return found;
}

}  // namespace weft::remote

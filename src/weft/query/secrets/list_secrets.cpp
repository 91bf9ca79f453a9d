#include "weft/query/secrets/list_secrets.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <vector>

#include "weft/base/try.hpp"
#include "weft/query/secrets/secret_mask.hpp"
#include "weft/thought/seal.hpp"

namespace weft::query {
namespace {

constexpr std::size_t kPlacesShown = 20;
constexpr std::size_t kBlocksAtOnce = 1'000;

// A secret in a thought.
struct Sighting {
  std::string value, member;
  const secrets::Rule* rule = nullptr;
};

struct KnownSecret {
  const secrets::Rule* rule = nullptr;
  std::string value;
  Millis first_seen = 0, last_seen = 0;
  std::set<Cid> conversations{};
  std::uint64_t count = 0;
  json::array places{};
};

// JSON Pointer (RFC 6901).
std::string step_of(std::string_view name) {
  std::string step = "/";
  for (const char c : name) {
    if (c == '~') step += "~0";
    else if (c == '/') step += "~1";
    else step += c;
  }
  return step;
}

void look_at_text(std::string_view text, const std::string& member, secrets::Tier least,
                  std::vector<Sighting>& out) {
  for (const secrets::Finding& found : secrets::find_secrets(text, least)) {
    out.push_back({.value = std::string(text.substr(found.offset, found.length)),
                   .member = member,
                   .rule = found.rule});
  }
}

void look_at(const json::value& value, const std::string& member, secrets::Tier least,
             std::vector<Sighting>& out) {
  if (const json::string* text = value.if_string()) {
    look_at_text({text->data(), text->size()}, member, least, out);
  } else if (const json::array* array = value.if_array()) {
    for (std::size_t i = 0; i < array->size(); ++i) {
      look_at((*array)[i], member + step_of(std::to_string(i)), least, out);
    }
  } else if (const json::object* object = value.if_object()) {
    for (const json::key_value_pair& each : *object) {
      const std::string_view name(each.key().data(), each.key().size());
      look_at_text(name, member, least, out);
      look_at(each.value(), member + step_of(name), least, out);
    }
  }
}

class Search {
 public:
  Search(const Library& library, const SecretsOptions& options)
      : library_(library), options_(options), mask_(library.keyring) {}

  Status read(const store::ConversationRow& row) {
    std::uint64_t mark = 0;
    while (true) {
      if (options_.control.is_off()) return called_off();
      WEFT_TRY_VALUE(const auto blocks, library_.web.placed_blocks(row.cid, mark, kBlocksAtOnce));
      for (const store::PlacedBlock& block : blocks) {
        WEFT_TRY(read_thought(block.block, row.cid));
        mark = block.mark;
      }
      if (blocks.size() < kBlocksAtOnce) return {};
    }
  }

  json::object answer() const {
    std::vector<const std::pair<const std::string, KnownSecret>*> order;
    for (const auto& one : known_) order.push_back(&one);
    std::ranges::sort(order, [](const auto* a, const auto* b) {
      return std::tuple(a->second.conversations.size(), a->second.last_seen) >
             std::tuple(b->second.conversations.size(), b->second.last_seen);
    });
    json::array list;
    for (const auto* one : order) {
      const KnownSecret& secret = one->second;
      json::object entry{{"rule", secret.rule->name},
                         {"tier", secret.rule->tier == secrets::Tier::sure ? "sure" : "likely"},
                         {"fingerprint", one->first},
                         {"first_seen", secret.first_seen},
                         {"last_seen", secret.last_seen},
                         {"conversations", secret.conversations.size()},
                         {"count", secret.count},
                         {"revoke", secret.rule->revoke}};
      if (options_.with_values) entry["value"] = secret.value;
      entry["places"] = secret.places;
      list.push_back(std::move(entry));
    }
    json::object answer{{"secrets", std::move(list)}, {"blocks", blocks_}};
    if (sealed_ > 0) answer["sealed"] = sealed_;
    return answer;
  }

 private:
  // A block that several conversations hold is looked at once.
  Status read_thought(const Cid& cid, const Cid& conversation) {
    const auto seen = seen_.find(cid);
    if (seen != seen_.end()) {
      for (const std::string& fingerprint : seen->second) {
        known_.at(fingerprint).conversations.insert(conversation);
      }
      return {};
    }
    std::vector<std::string>& fingerprints = seen_[cid];
    WEFT_TRY_VALUE(const auto thought, library_.web.get_without_path(cid));
    const json::object content = thought::open_content(thought, library_.keyring);
    ++blocks_;
    sealed_ += content.contains("$layers") ? 1 : 0;
    std::vector<Sighting> sightings;
    look_at(content, "/content", options_.least, sightings);
    for (Sighting& sighting : sightings) {
      const std::string fingerprint = mask_.fingerprint(sighting.value);
      KnownSecret& secret = known_[fingerprint];
      if (secret.count == 0) {
        secret.rule = sighting.rule;
        secret.value = std::move(sighting.value);
        secret.first_seen = thought.created_at;
      }
      ++secret.count;
      secret.first_seen = std::min(secret.first_seen, thought.created_at);
      secret.last_seen = std::max(secret.last_seen, thought.created_at);
      secret.conversations.insert(conversation);
      if (secret.places.size() < kPlacesShown) {
        secret.places.push_back(json::object{{"cid", cid.str()},
                                             {"conversation_cid", conversation.str()},
                                             {"member", sighting.member}});
      }
      fingerprints.push_back(fingerprint);
    }
    return {};
  }

  const Library& library_;
  const SecretsOptions& options_;
  SecretMask mask_;
  std::map<std::string, KnownSecret> known_;  // by fingerprint
  std::unordered_map<Cid, std::vector<std::string>> seen_;
  std::uint64_t blocks_ = 0, sealed_ = 0;
};

}  // namespace

Result<json::object> list_secrets(const Library& library, const SecretsOptions& options) {
  std::vector<store::ConversationRow> rows;
  if (options.conversation) {
    rows.push_back(*options.conversation);
  } else {
    WEFT_TRY_VALUE(rows, library.web.conversations({}));
  }
  Search search(library, options);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    WEFT_TRY(search.read(rows[i]));
    options.control.report_progress(i + 1, rows.size());
  }
  return search.answer();
}

}  // namespace weft::query

#include "weft/query/secrets/list_secrets.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "weft/base/hex.hpp"
#include "weft/base/try.hpp"
#include "weft/query/ask/behind.hpp"
#include "weft/thought/seal.hpp"

namespace weft::query {
namespace {

constexpr std::size_t kPlacesShown = 20;
constexpr std::size_t kBlocksAtOnce = 1'000;

// Where a secret stands, in a thought of a conversation.
struct Sighting {
  Cid conversation, thought;
  bool is_facts = false;
  Millis time = 0;
  std::string member{};
  const secrets::Rule* rule = nullptr;
  store::Fingerprint fingerprint{};
};

// Puts sightings together, by value.
class SecretSum {
 public:
  void add(const Sighting& seen) {
    Known& secret = known_[seen.fingerprint];
    const bool is_new_thought = secret.thoughts.insert(seen.thought).second;
    const bool is_first_holder = is_new_thought || holders_.at(seen.thought) == seen.conversation;
    if (is_new_thought) holders_.try_emplace(seen.thought, seen.conversation);
    secret.conversations.insert(seen.conversation);
    if (!is_first_holder) return;  // a thought that several conversations hold counts once
    secret.rule = seen.rule;
    note_time(secret, seen);
    // Each commit may state the title again: a place of the conversation, not of each statement.
    const bool is_known =
        seen.is_facts && !secret.facts.emplace(seen.conversation, seen.member).second;
    if (is_known) return;
    ++secret.count;
    if (secret.places.size() >= kPlacesShown) return;
    secret.places.push_back(json::object{{"cid", seen.thought.str()},
                                         {"conversation_cid", seen.conversation.str()},
                                         {"member", seen.member}});
  }

  // `value_of` is called for each secret, with a thought that has it, if it is there.
  json::array entries(
      const std::function<std::string(const Cid&, const store::Fingerprint&)>& value_of) const {
    std::vector<const std::pair<const store::Fingerprint, Known>*> order;
    for (const auto& one : known_) order.push_back(&one);
    std::ranges::sort(order, [](const auto* a, const auto* b) {
      return std::tuple(a->second.conversations.size(), a->second.last_seen) >
             std::tuple(b->second.conversations.size(), b->second.last_seen);
    });
    json::array list;
    for (const auto* one : order) {
      const Known& secret = one->second;
      json::object entry{{"rule", secret.rule->name},
                         {"tier", secret.rule->tier == secrets::Tier::sure ? "sure" : "likely"},
                         {"fingerprint", to_hex(one->first)},
                         {"first_seen", secret.first_seen},
                         {"last_seen", secret.last_seen},
                         {"conversations", secret.conversations.size()},
                         {"count", secret.count},
                         {"revoke", secret.rule->revoke}};
      if (value_of) entry["value"] = value_of(*secret.thoughts.begin(), one->first);
      entry["places"] = secret.places;
      list.push_back(std::move(entry));
    }
    return list;
  }

 private:
  struct Known {
    const secrets::Rule* rule = nullptr;
    Millis first_seen = 0, last_seen = 0;
    bool is_in_block = false;
    std::set<Cid> conversations{}, thoughts{};
    std::set<std::pair<Cid, std::string>> facts{};  // a conversation, and the member
    std::uint64_t count = 0;
    json::array places{};
  };
  // Facts have the time of their commit, which counts only where no block says when.
  static void note_time(Known& secret, const Sighting& seen) {
    if (seen.is_facts && secret.is_in_block) return;
    const bool is_first = secret.count == 0 || (!seen.is_facts && !secret.is_in_block);
    secret.is_in_block = !seen.is_facts;
    secret.first_seen = is_first ? seen.time : std::min(secret.first_seen, seen.time);
    secret.last_seen = is_first ? seen.time : std::max(secret.last_seen, seen.time);
  }

  std::map<store::Fingerprint, Known> known_;
  std::unordered_map<Cid, Cid> holders_;  // the first conversation seen with a thought
};

void each_in(const json::object& content, secrets::Tier least,
             const std::function<void(const store::FoundSecret&)>& visit) {
  store::each_secret(content, "/content", least, visit);
}

std::function<std::string(const Cid&, const store::Fingerprint&)> value_reader(
    const Library& library, const SecretsOptions& options) {
  if (!options.with_values) return {};
  return [&library, least = options.least](const Cid& cid, const store::Fingerprint& name) {
    std::string value;
    const auto thought = library.web.get_without_path(cid);
    if (!thought) return value;
    const store::Fingerprints fingerprints(library.keyring);
    each_in(thought::open_content(*thought, library.keyring), least,
            [&](const store::FoundSecret& found) {
              if (fingerprints.of(found.value()) == name) value = found.value();
            });
    return value;
  };
}

// --- the sure tier: from the table ---------------------------------------------------------------

Result<json::object> list_sure(const Library& library, const SecretsOptions& options,
                               std::uint64_t blocks) {
  store::SecretsRequest request{.keyring = library.keyring};
  if (options.conversation) request.conversation = options.conversation->cid;
  request.go_on = [&options](std::uint64_t done, std::uint64_t all) {
    options.control.report_progress(done, all);
    return !options.control.is_off();
  };
  WEFT_TRY_VALUE(const store::SecretTable table, library.web.secrets(request));
  std::map<std::string, secrets::Rule, std::less<>> rules;
  for (const secrets::Rule& rule : secrets::all_rules()) rules.emplace(rule.name, rule);
  SecretSum sum;
  for (const store::SecretEntry& entry : table.entries) {
    const auto rule = rules.find(entry.place.rule);
    if (rule == rules.end()) continue;  // the rows are of these rules: the table has their version
    sum.add({.conversation = entry.conversation,
             .thought = entry.thought,
             .is_facts = thought::kind_of(entry.type) == "conversation_facts",
             .time = entry.time,
             .member = entry.place.member,
             .rule = &rule->second,
             .fingerprint = entry.place.fingerprint});
  }
  json::object answer{{"secrets", sum.entries(value_reader(library, options))}, {"blocks", blocks}};
  if (table.sealed > 0) answer["sealed"] = table.sealed;
  note_behind(answer, table.rows);
  return answer;
}

// --- the likely tier: from the blocks ------------------------------------------------------------

class DeepSearch {
 public:
  DeepSearch(const Library& library, const SecretsOptions& options)
      : library_(library), options_(options), fingerprints_(library.keyring) {}

  Status read(const store::ConversationRow& row) {
    std::uint64_t mark = 0;
    bool is_sealed = false;
    while (true) {
      if (options_.control.is_off()) return called_off();
      WEFT_TRY_VALUE(const auto blocks, library_.web.placed_blocks(row.cid, mark, kBlocksAtOnce));
      for (const store::PlacedBlock& block : blocks) {
        WEFT_TRY(read_thought(block.block, row.cid, is_sealed));
        mark = block.mark;
      }
      if (blocks.size() < kBlocksAtOnce) break;
    }
    sealed_ += is_sealed ? 1 : 0;
    return {};
  }

  json::object answer(std::uint64_t blocks) const {
    json::object answer{{"secrets", sum_.entries(value_reader(library_, options_))},
                        {"blocks", blocks}};
    if (sealed_ > 0) answer["sealed"] = sealed_;
    return answer;
  }

 private:
  Status read_thought(const Cid& cid, const Cid& conversation, bool& is_sealed) {
    if (const auto seen = seen_.find(cid); seen != seen_.end()) {
      for (Sighting sighting : seen->second) {
        sighting.conversation = conversation;
        sum_.add(sighting);
      }
      return {};
    }
    std::vector<Sighting>& sightings = seen_[cid];
    WEFT_TRY_VALUE(const auto thought, library_.web.get_without_path(cid));
    const json::object content = thought::open_content(thought, library_.keyring);
    is_sealed = is_sealed || content.contains("$layers");
    each_in(content, options_.least, [&](const store::FoundSecret& found) {
      sightings.push_back({.conversation = conversation,
                           .thought = cid,
                           .time = thought.created_at,
                           .member = std::string(found.member),
                           .rule = found.finding.rule,
                           .fingerprint = fingerprints_.of(found.value())});
      sum_.add(sightings.back());
    });
    return {};
  }

  const Library& library_;
  const SecretsOptions& options_;
  const store::Fingerprints fingerprints_;
  SecretSum sum_;
  std::unordered_map<Cid, std::vector<Sighting>> seen_;  // of each block, in its first conversation
  std::uint64_t sealed_ = 0;
};

}  // namespace

Result<json::object> list_secrets(const Library& library, const SecretsOptions& options) {
  std::vector<store::ConversationRow> rows;
  if (options.conversation) {
    rows.push_back(*options.conversation);
  } else {
    WEFT_TRY_VALUE(rows, library.web.conversations({}));
  }
  std::uint64_t blocks = 0;
  for (const store::ConversationRow& row : rows) blocks += row.block_count;
  if (options.least == secrets::Tier::sure) return list_sure(library, options, blocks);
  DeepSearch search(library, options);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    WEFT_TRY(search.read(rows[i]));
    options.control.report_progress(i + 1, rows.size());
  }
  return search.answer(blocks);
}

}  // namespace weft::query

#include "weft/store/sqlite/late/catalogue_table.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <span>

#include "weft/base/try.hpp"
#include "weft/base/utf8.hpp"
#include "weft/store/sql/read/newest.hpp"
#include "weft/store/sqlite/late/places.hpp"
#include "weft/store/sqlite/late/sealed_columns.hpp"
#include "weft/store/sqlite/late/stored_thought.hpp"

namespace weft::store::sql {
namespace {

constexpr std::string_view kCatalogue = "catalogue";
constexpr std::array kPortionsOfRow = {Portion::clear, Portion::metadata, Portion::content};

// What of the facts is shown.
constexpr std::string_view kShownFacts[] = {"title", "summary",    "project",
                                            "cwd",   "git_branch", "models",
                                            "usage", "updated_at", "internal"};
constexpr std::string_view kPrompt = "prompt";
constexpr std::size_t kPromptCodePoints = 200;
// The number of prompts to try; sealed and empty ones say nothing.
constexpr std::size_t kPrompts = 16;

// What a row says, each member in the portion that says it.
struct About {
  std::array<json::object, kPortions> members{};
  std::optional<Id> parent{};

  json::object& in(Portion portion) { return members[static_cast<std::size_t>(portion)]; }
  bool has(std::string_view name) const {
    return std::ranges::any_of(
        members, [&](const json::object& object) { return find_member(object, name) != nullptr; });
  }
  void erase(std::string_view name) {
    for (json::object& object : members) object.erase(name);
  }
  friend bool operator==(const About&, const About&) = default;
};

json::object parse_members(std::string_view text) {
  if (text.empty()) return {};
  Result<ParsedJson> parsed = parse_json(text);
  if (!parsed || !parsed->value.is_object()) return {};
  return std::move(parsed->value.get_object());
}

std::array<json::object, kPortions> portions_of(const LateContext& with,
                                                const thought::Thought& thought) {
  const OpenLayers layers = open_layers(thought, with.keyring);
  return {thought.content, parse_members(layers.metadata), parse_members(layers.content)};
}

void put_facts(About& about, const LateContext& with, const thought::Thought& facts) {
  const auto portions = portions_of(with, facts);
  for (const std::string_view name : kShownFacts) {
    about.erase(name);
    for (std::size_t i = 0; i < kPortions; ++i) {
      const json::value* value = find_member(portions[i], name);
      if (value != nullptr) about.members[i][name] = *value;
    }
  }
}

// --- the first words -----------------------------------------------------------------------------

bool put_prompt(About& about, const LateContext& with, const thought::Thought& block) {
  const auto portions = portions_of(with, block);
  for (std::size_t i = 0; i < kPortions; ++i) {
    const auto text = find_string(portions[i], "text");
    if (!text || text->empty()) continue;
    const std::string_view line = text->substr(0, text->find('\n'));
    about.members[i][kPrompt] = slice_code_points(line, 0, kPromptCodePoints);
    return true;
  }
  return false;
}

Result<bool> is_prompt(const LateContext& with, Id thought) {
  std::optional<Id> type;
  sqlite::Rows rows = with.database.query("SELECT type FROM thoughts WHERE id = ?", thought);
  if (rows.next()) type = rows.integer(0);
  WEFT_TRY(rows.status());
  if (!type) return false;
  const Result<std::string_view> name = with.words.text(*type);
  return name && thought::kind_of(*name) == "human_input";
}

// The blocks of a turn by position.
Result<std::vector<Id>> contents_in_order(LateContext& with, Id from, Id contains, Id creator) {
  std::vector<Id> found;
  sqlite::Rows rows = with.database.query(
      "SELECT to_id FROM connections WHERE from_id = ? AND relation = ? AND created_by = ? "
      "ORDER BY position, id",
      from, contains, creator);
  while (rows.next()) found.push_back(rows.integer(0));
  WEFT_TRY(rows.status());
  return found;
}

// The first line of the person's first message.
Status find_prompt(LateContext& with, Id conversation, Id creator, About& about) {
  about.erase(kPrompt);
  if (about.has("title")) return {};
  Places places(with, conversation);
  WEFT_TRY_VALUE(const Id contains, places.contains());
  WEFT_TRY_VALUE(const auto turns, contents_in_order(with, conversation, contains, creator));
  std::size_t tried = 0;
  for (const Id turn : turns) {
    WEFT_TRY_VALUE(const auto blocks, contents_in_order(with, turn, contains, creator));
    for (const Id block : blocks) {
      WEFT_TRY_VALUE(const bool is_persons, is_prompt(with, block));
      if (!is_persons) continue;
      WEFT_TRY_VALUE(const bool is_gone, places.is_superseded(block, creator, kAnyId));
      if (is_gone) continue;
      WEFT_TRY_VALUE(const auto stored, find_stored(with, block));
      if (stored && put_prompt(about, with, stored->thought)) return {};
      if (++tried == kPrompts) return {};
    }
  }
  return {};
}

// The same of a conversation that came with this addition, from the addition itself. False if some
// of it was stored before: then the tables know.
bool find_new_prompt(const LateContext& with, const LateAddition& addition, Id contains,
                     std::optional<Id> supersedes, About& about) {
  if (about.has("title")) return true;
  std::map<Id, std::vector<const Edge*>> contents;
  std::set<Id> replaced;
  for (const Edge& edge : addition.edges) {
    if (edge.created_by != addition.creator) continue;
    if (edge.relation == contains) contents[edge.from].push_back(&edge);
    if (edge.relation == supersedes) replaced.insert(edge.to);
  }
  for (auto& [from, edges] : contents) {
    std::ranges::sort(edges, [](const Edge* a, const Edge* b) {
      return std::pair(a->position, a->id) < std::pair(b->position, b->id);
    });
  }
  std::size_t tried = 0;
  for (const Edge* turn : contents[addition.conversation]) {
    for (const Edge* edge : contents[turn->to]) {
      const LateAddition::NewThought* block = addition.find(edge->to);
      if (block == nullptr) return false;
      if (thought::kind_of(block->thought->type) != "human_input") continue;
      if (replaced.contains(edge->to)) continue;
      if (put_prompt(about, with, *block->thought) || ++tried == kPrompts) return true;
    }
  }
  return true;
}

// --- the parent ----------------------------------------------------------------------------------

Result<std::optional<Id>> find_parent(LateContext& with, Id conversation, Id creator) {
  WEFT_TRY_VALUE(const auto spawns, with.words.find_id("spawns"));
  if (!spawns) return std::nullopt;
  std::optional<Id> call;
  sqlite::Rows rows = with.database.query(
      "SELECT from_id FROM connections WHERE to_id = ? AND relation = ? AND created_by = ? "
      "ORDER BY id LIMIT 1",
      conversation, *spawns, creator);
  if (rows.next()) call = rows.integer(0);
  WEFT_TRY(rows.status());
  if (!call) return std::nullopt;
  Places places(with, conversation);
  WEFT_TRY_VALUE(const auto stood, places.places_of(*call, creator));
  return stood.empty() ? std::nullopt : std::optional(stood.front().conversation);
}

// --- rows ----------------------------------------------------------------------------------------

Result<About> compute_about(LateContext& with, Id conversation) {
  About about;
  WEFT_TRY_VALUE(const Newest newest, newest_of(with.database, conversation));
  if (!newest.creator) return about;
  if (newest.facts) {
    WEFT_TRY_VALUE(const auto facts, find_stored(with, *newest.facts));
    if (facts) put_facts(about, with, facts->thought);
  }
  WEFT_TRY(find_prompt(with, conversation, *newest.creator, about));
  WEFT_TRY_VALUE(about.parent, find_parent(with, conversation, *newest.creator));
  return about;
}

Status write_about(LateContext& with, Id conversation, const About& about) {
  const RowSeal seal(with.keyring, kCatalogue, conversation);
  std::array<std::string, kPortions> columns;
  for (const Portion portion : kPortionsOfRow) {
    const auto i = static_cast<std::size_t>(portion);
    std::string plain;
    if (!about.members[i].empty()) plain = canonical_json(about.members[i]);
    WEFT_TRY_VALUE(columns[i], seal.seal(portion, plain));
  }
  const auto column = [&](std::size_t i) {
    return columns[i].empty() ? std::nullopt : std::optional(sqlite::Blob{columns[i]});
  };
  return with.database.run(
      "INSERT OR REPLACE INTO catalogue (conversation, parent, clear, metadata, content) "
      "VALUES (?, ?, ?, ?, ?)",
      conversation, about.parent, column(0), column(1), column(2));
}

Result<About> read_about(const crypto::Keyring* keyring, Id conversation, const sqlite::Rows& row,
                         int column, std::array<bool, kPortions>& is_closed) {
  const RowSeal seal(keyring, kCatalogue, conversation);
  About about{.parent = row.find_integer(column)};
  for (const Portion portion : kPortionsOfRow) {
    const auto i = static_cast<std::size_t>(portion);
    const auto stored = row.find_bytes(column + 1 + static_cast<int>(i));
    WEFT_TRY_VALUE(const auto plain, seal.open(portion, stored.value_or("")));
    is_closed[i] = !plain;
    if (plain) about.members[i] = parse_members(*plain);
  }
  return about;
}

Result<std::optional<About>> find_about(LateContext& with, Id conversation,
                                        std::array<bool, kPortions>& is_closed) {
  std::optional<About> about;
  sqlite::Rows rows = with.database.query(
      "SELECT parent, clear, metadata, content FROM catalogue WHERE conversation = ?",
      conversation);
  if (rows.next()) {
    WEFT_TRY_VALUE(about, read_about(with.keyring, conversation, rows, 0, is_closed));
  }
  WEFT_TRY(rows.status());
  return about;
}

CatalogueRow to_row(About about, const std::array<bool, kPortions>& is_closed) {
  json::object merged = std::move(about.members[0]);
  for (json::object& members : std::span(about.members).subspan(1)) {
    for (auto& [name, value] : members) merged[name] = std::move(value);
  }
  CatalogueRow row{.known = thought::parse_facts(merged),
                   .is_internal = find_bool(merged, "internal").value_or(false),
                   .parent = about.parent,
                   .is_closed = is_closed[1] || is_closed[2]};
  if (const auto prompt = find_string(merged, kPrompt)) row.prompt = std::string(*prompt);
  return row;
}

// --- the late table ------------------------------------------------------------------------------

Status fill_catalogue(LateContext& with, Id conversation) {
  WEFT_TRY_VALUE(const About about, compute_about(with, conversation));
  return write_about(with, conversation, about);
}

Status remove_catalogue(LateContext& with, Id conversation) {
  return with.database.run("DELETE FROM catalogue WHERE conversation = ?", conversation);
}

// Whether an addition may change the first words: a prompt came, was copied or replaced.
Result<bool> changes_prompt(LateContext& with, const LateAddition& addition, bool has_prompt) {
  WEFT_TRY_VALUE(const auto contains, with.words.find_id("contains"));
  WEFT_TRY_VALUE(const auto supersedes, with.words.find_id("supersedes"));
  for (const Edge& edge : addition.edges) {
    const bool is_placed = !has_prompt && edge.relation == contains;
    if (!is_placed && edge.relation != supersedes) continue;
    WEFT_TRY_VALUE(const bool is_persons, is_prompt(with, edge.to));
    if (is_persons) return true;
  }
  return false;
}

Status add_prompt(LateContext& with, const LateAddition& addition, About& about) {
  const bool has_prompt = about.has(kPrompt) || about.has("title");
  WEFT_TRY_VALUE(const bool is_renamed, changes_prompt(with, addition, has_prompt));
  if (!is_renamed) return {};
  return find_prompt(with, addition.conversation, addition.creator, about);
}

Status add_new(LateContext& with, const LateAddition& addition, About& about) {
  WEFT_TRY_VALUE(const auto contains, with.words.find_id("contains"));
  WEFT_TRY_VALUE(const auto supersedes, with.words.find_id("supersedes"));
  if (!find_new_prompt(with, addition, contains.value_or(0), supersedes, about)) {
    WEFT_TRY(find_prompt(with, addition.conversation, addition.creator, about));
  }
  WEFT_TRY_VALUE(about.parent, find_parent(with, addition.conversation, addition.creator));
  return {};
}

Status add_catalogue(LateContext& with, const LateAddition& addition) {
  std::array<bool, kPortions> is_closed{};
  WEFT_TRY_VALUE(auto stored, find_about(with, addition.conversation, is_closed));
  if (is_closed[1] || is_closed[2]) {
    return fail(ErrorCode::denied, "a row of the catalogue is sealed with other keys");
  }
  About about = stored ? *std::move(stored) : About{};
  const About before = about;
  for (const LateAddition::NewThought& added : addition.thoughts) {
    if (added.author != addition.creator) continue;
    if (thought::kind_of(added.thought->type) != "conversation_facts") continue;
    put_facts(about, with, *added.thought);
  }
  if (about.has("title")) about.erase(kPrompt);
  WEFT_TRY(addition.is_new ? add_new(with, addition, about) : add_prompt(with, addition, about));
  if (addition.is_new || about != before) {
    WEFT_TRY(write_about(with, addition.conversation, about));
  }
  WEFT_TRY_VALUE(const auto spawns, with.words.find_id("spawns"));
  for (const Edge& edge : addition.edges) {
    if (edge.relation != spawns || edge.created_by != addition.creator) continue;
    WEFT_TRY_VALUE(const auto parent, find_parent(with, edge.to, addition.creator));
    WEFT_TRY(with.database.run("UPDATE catalogue SET parent = ? WHERE conversation = ?", parent,
                               edge.to));
  }
  return {};
}

Status check_catalogue(LateContext& with, Id conversation, FindingList& out) {
  WEFT_TRY_VALUE(About computed, compute_about(with, conversation));
  std::array<bool, kPortions> is_closed{};
  Result<std::optional<About>> stored = find_about(with, conversation, is_closed);
  if (!stored && stored.error().code != ErrorCode::corrupt) {
    return fail(std::move(stored).error());
  }
  if (stored && *stored) {
    for (std::size_t i = 0; i < kPortions; ++i) {
      // Without the key, what is sealed is neither computed nor read.
      if (is_closed[i]) (*stored)->members[i] = computed.members[i] = {};
    }
    // The first words of a sealed title are unknown.
    if (is_closed[1] || is_closed[2]) {
      computed.erase(kPrompt);
      (*stored)->erase(kPrompt);
    }
    if (**stored == computed) return {};
  }
  out.add(kCatalogue, "what is listed of this conversation is not what its thoughts say",
          conversation);
  return {};
}

}  // namespace

Result<CatalogueRow> describe_conversation(LateContext& with, Id conversation) {
  WEFT_TRY_VALUE(About about, compute_about(with, conversation));
  std::array<bool, kPortions> is_closed{};
  return to_row(std::move(about), is_closed);
}

Result<CatalogueRow> read_catalogue_row(const crypto::Keyring* keyring, Id conversation,
                                        const sqlite::Rows& row, int column) {
  std::array<bool, kPortions> is_closed{};
  WEFT_TRY_VALUE(About about, read_about(keyring, conversation, row, column, is_closed));
  return to_row(std::move(about), is_closed);
}

const LateTable& catalogue_table() {
  static const LateTable table = {
      .name = kCatalogue,
      .version = 1,
      .tables = {"catalogue"},
      .has_row = "SELECT EXISTS (SELECT 1 FROM catalogue WHERE conversation = ?)",
      .missing =
          "SELECT id, blocks FROM conversations WHERE NOT EXISTS "
          "(SELECT 1 FROM catalogue WHERE conversation = conversations.id) "
          "ORDER BY touched DESC LIMIT 256",
      .count = "SELECT count(*) FROM catalogue",
      .clear = "DELETE FROM catalogue",
      .fill = fill_catalogue,
      .add = add_catalogue,
      .remove = remove_catalogue,
      .check = check_catalogue};
  return table;
}

}  // namespace weft::store::sql

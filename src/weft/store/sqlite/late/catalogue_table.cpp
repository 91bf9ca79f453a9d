#include "weft/store/sqlite/late/catalogue_table.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "weft/base/try.hpp"
#include "weft/store/sql/read/newest.hpp"
#include "weft/store/sqlite/late/catalogue_about.hpp"
#include "weft/store/sqlite/late/stored_thought.hpp"
#include "weft/thought/seal.hpp"

namespace weft::store::sql {
namespace {

constexpr std::string_view kCatalogue = "catalogue";
constexpr std::array kPortionsOfRow = {Portion::clear, Portion::metadata, Portion::content};

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

// The members of all portions that the keyring opens. Lists read all rows: what is parsed is
// allocated and released at once.
Result<json::object> open_members(const crypto::Keyring* keyring, Id conversation,
                                  const sqlite::Rows& row, int column, bool& has_sealed_facts) {
  constexpr std::size_t kRowBytes = 1'024;
  const json::storage_ptr memory = memory_for_json(kRowBytes);
  json::object members(memory);
  const RowSeal seal(keyring, kCatalogue, conversation);
  for (const Portion portion : kPortionsOfRow) {
    const auto stored = row.find_bytes(column + 1 + static_cast<int>(portion));
    if (!stored) continue;
    WEFT_TRY_VALUE(const auto plain, seal.open(portion, *stored));
    if (!plain && portion == Portion::metadata) has_sealed_facts = true;
    if (!plain) continue;
    Result<ParsedJson> parsed = parse_json(*plain, memory);
    if (!parsed || !parsed->value.is_object()) continue;
    json::object& more = parsed->value.get_object();
    if (members.empty()) members = std::move(more);
    else
      for (auto& [name, value] : more) members[name] = std::move(value);
  }
  return members;
}

CatalogueRow to_row(const json::object& members, std::optional<Id> parent) {
  CatalogueRow row{.known = thought::parse_facts(members),
                   .is_internal = find_bool(members, "internal").value_or(false),
                   .parent = parent};
  if (const auto prompt = find_string(members, kPrompt)) row.prompt = std::string(*prompt);
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

// The conversations that new summaries are about.
Status name_summarized(LateContext& with, const LateAddition& addition) {
  WEFT_TRY_VALUE(const auto summarizes, with.words.find_id("summarizes"));
  for (const Edge& edge : addition.edges) {
    if (edge.relation != summarizes || edge.created_by != addition.creator) continue;
    std::array<bool, kPortions> is_closed{};
    WEFT_TRY_VALUE(const auto row, find_about(with, edge.to, is_closed));
    if (row) WEFT_TRY(fill_catalogue(with, edge.to));
  }
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
  if (about != before) {
    WEFT_TRY(find_summary(with, addition.conversation, addition.creator, about));
  }
  if (addition.is_new || about != before) {
    WEFT_TRY(write_about(with, addition.conversation, about));
  }
  WEFT_TRY(name_summarized(with, addition));
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
    // Whether there is a title or a summary, and in which portion, is unknown then.
    if (is_closed[1] || is_closed[2]) {
      for (const std::string_view name :
           {kPrompt, std::string_view("title"), std::string_view("summary")}) {
        computed.erase(name);
        (*stored)->erase(name);
      }
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
  json::object members = std::move(about.members[0]);
  for (json::object& more : std::span(about.members).subspan(1)) {
    for (auto& [name, value] : more) members[name] = std::move(value);
  }
  CatalogueRow row = to_row(members, about.parent);
  WEFT_TRY_VALUE(const Newest newest, newest_of(with.database, conversation));
  if (!newest.facts) return row;
  WEFT_TRY_VALUE(const auto facts, find_stored(with, *newest.facts));
  if (!facts) return row;
  row.has_sealed_facts = thought::open_content(facts->thought, with.keyring).contains("$layers");
  return row;
}

Result<CatalogueRow> read_catalogue_row(const crypto::Keyring* keyring, Id conversation,
                                        const sqlite::Rows& row, int column) {
  bool has_sealed_facts = false;
  WEFT_TRY_VALUE(const json::object members,
                 open_members(keyring, conversation, row, column, has_sealed_facts));
  CatalogueRow read = to_row(members, row.find_integer(column));
  read.has_sealed_facts = has_sealed_facts;
  return read;
}

// Without parsing it: where canonical JSON has these characters, they begin a member, because
// quotes within strings are escaped.
Result<bool> states_usage(const crypto::Keyring* keyring, Id conversation, const sqlite::Rows& row,
                          int column) {
  const RowSeal seal(keyring, kCatalogue, conversation);
  for (const Portion portion : kPortionsOfRow) {
    const auto stored = row.find_bytes(column + 1 + static_cast<int>(portion));
    if (!stored) continue;
    WEFT_TRY_VALUE(const auto plain, seal.open(portion, *stored));
    if (plain && plain->contains(R"("usage":{)")) return true;
  }
  return false;
}

Result<std::optional<transcript::Usage>> read_catalogue_usage(const crypto::Keyring* keyring,
                                                              Id conversation,
                                                              const sqlite::Rows& row, int column) {
  bool has_sealed_facts = false;
  WEFT_TRY_VALUE(const json::object members,
                 open_members(keyring, conversation, row, column, has_sealed_facts));
  const json::object* usage = find_object(members, "usage");
  if (usage == nullptr) return std::nullopt;
  return thought::parse_facts({{"usage", *usage}}).facts.usage;
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

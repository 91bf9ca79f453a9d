#include "weft/store/sql/late/catalogue_table.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "weft/base/try.hpp"
#include "weft/store/sql/late/catalogue_about.hpp"
#include "weft/store/sql/late/stored_thought.hpp"
#include "weft/store/sql/read/newest.hpp"
#include "weft/thought/seal.hpp"

namespace weft::store::sql {
namespace {

constexpr std::string_view kCatalogue = "catalogue";
constexpr std::size_t kCidBytes = sizeof(Digest);
constexpr std::array kPortionsOfRow = {Portion::clear, Portion::metadata, Portion::content};

// The clear column begins with the CID and the creator.
std::string pack_clear(const About& about) {
  std::string out(reinterpret_cast<const char*>(about.cid.digest().data()), kCidBytes);
  append_varint(out, static_cast<std::uint64_t>(about.creator));
  return out + pack(about.portions[0]);
}

// Takes them from the front of the column.
Status take_names(std::string_view& clear, Cid& cid, Id& creator) {
  const auto damaged = [] {
    return fail(ErrorCode::corrupt, "a row of the catalogue cannot be read; run weft repair");
  };
  if (clear.size() < kCidBytes) return damaged();
  WEFT_TRY_VALUE(cid, to_cid(clear.substr(0, kCidBytes)));
  clear.remove_prefix(kCidBytes);
  const auto number = take_varint(clear);
  if (!number) return damaged();
  creator = static_cast<Id>(*number);
  return {};
}

Status write_about(LateContext& with, Id conversation, const About& about) {
  const RowSeal seal(with.keyring, kCatalogue, conversation);
  std::array<std::string, kPortions> columns = {pack_clear(about)};
  for (const Portion portion : {Portion::metadata, Portion::content}) {
    const auto i = static_cast<std::size_t>(portion);
    WEFT_TRY_VALUE(columns[i], seal.seal(portion, pack(about.portions[i])));
  }
  const auto column = [&](std::size_t i) {
    return columns[i].empty() ? std::nullopt : std::optional(Blob{columns[i]});
  };
  return with.database.run(
      "INSERT INTO catalogue (conversation, parent, clear, metadata, content) "
      "VALUES (?, ?, ?, ?, ?) "
      "ON CONFLICT (conversation) DO UPDATE SET parent = excluded.parent, clear = excluded.clear, "
      "metadata = excluded.metadata, content = excluded.content",
      conversation, about.parent, column(0), column(1), column(2));
}

// Calls `visit` with the packed facts of each portion that the keyring opens, and `closed` for the
// others.
template <class Visit, class Closed>
Status each_portion(const crypto::Keyring* keyring, Id conversation, const Rows& row, int column,
                    const Visit& visit, const Closed& closed) {
  const RowSeal seal(keyring, kCatalogue, conversation);
  for (const Portion portion : kPortionsOfRow) {
    std::string_view stored =
        row.find_bytes(column + 1 + static_cast<int>(portion)).value_or(std::string_view());
    if (portion == Portion::clear) {
      Cid cid;
      Id creator = 0;
      WEFT_TRY(take_names(stored, cid, creator));
      WEFT_TRY(visit(portion, stored));
      continue;
    }
    if (stored.empty()) continue;
    WEFT_TRY_VALUE(const auto plain, seal.open(portion, stored));
    if (plain) WEFT_TRY(visit(portion, std::string_view(*plain)));
    else closed(portion);
  }
  return {};
}

Result<About> read_about(const crypto::Keyring* keyring, Id conversation, const Rows& row,
                         int column, std::array<bool, kPortions>& is_closed) {
  About about;
  WEFT_TRY_VALUE(const CatalogueNames names, read_catalogue_names(row, column));
  about.cid = names.cid;
  about.creator = names.creator;
  about.parent = names.parent;
  WEFT_TRY(each_portion(
      keyring, conversation, row, column,
      [&](Portion portion, std::string_view packed) {
        return unpack_listed(packed, about.portions[static_cast<std::size_t>(portion)]);
      },
      [&](Portion portion) { is_closed[static_cast<std::size_t>(portion)] = true; }));
  return about;
}

Result<std::optional<About>> find_about(LateContext& with, Id conversation,
                                        std::array<bool, kPortions>& is_closed) {
  std::optional<About> about;
  Rows rows = with.database.query(
      "SELECT parent, clear, metadata, content FROM catalogue WHERE conversation = ?",
      conversation);
  if (rows.next()) {
    WEFT_TRY_VALUE(about, read_about(with.keyring, conversation, rows, 0, is_closed));
  }
  WEFT_TRY(rows.status());
  return about;
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
  const bool has_prompt = about.has_prompt() || about.has_title();
  WEFT_TRY_VALUE(const bool is_renamed, changes_prompt(with, addition, has_prompt));
  if (!is_renamed) return {};
  return find_prompt(with, addition.conversation, addition.creator, about);
}

Status add_new(LateContext& with, const LateAddition& addition, About& about) {
  WEFT_TRY(name_about(with, addition.conversation, addition.creator, about));
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
  if (about.has_title()) about.erase_prompt();
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
      if (is_closed[i]) (*stored)->portions[i] = computed.portions[i] = {};
    }
    // Whether there is a title or a summary, and in which portion, is unknown then.
    if (is_closed[1] || is_closed[2]) {
      for (About* about : {&computed, &**stored}) {
        about->erase_title();
        about->erase_prompt();
        for (ListedFacts& in : about->portions) in.known.facts.summary.reset();
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
  WEFT_TRY_VALUE(const About about, compute_about(with, conversation));
  CatalogueRow row{.names = {about.cid, about.creator, about.parent}};
  for (const ListedFacts& in : about.portions) WEFT_TRY(unpack_listed(pack(in), row.facts));
  WEFT_TRY_VALUE(const Newest newest, newest_of(with.database, conversation));
  if (!newest.facts) return row;
  WEFT_TRY_VALUE(const auto facts, find_stored(with, *newest.facts));
  if (!facts) return row;
  row.has_sealed_facts = thought::open_content(facts->thought, with.keyring).contains("$layers");
  return row;
}

Result<CatalogueRow> read_catalogue_row(const crypto::Keyring* keyring, Id conversation,
                                        const Rows& row, int column) {
  CatalogueRow read;
  WEFT_TRY_VALUE(read.names, read_catalogue_names(row, column));
  WEFT_TRY(each_portion(
      keyring, conversation, row, column,
      [&](Portion, std::string_view packed) { return unpack_listed(packed, read.facts); },
      [&](Portion portion) {
        read.has_sealed_facts = read.has_sealed_facts || portion == Portion::metadata;
      }));
  return read;
}

Result<CatalogueNames> read_catalogue_names(const Rows& row, int column) {
  CatalogueNames read{.parent = row.find_integer(column)};
  std::string_view clear = row.bytes(column + 1);
  WEFT_TRY(take_names(clear, read.cid, read.creator));
  return read;
}

Result<std::optional<transcript::Usage>> read_catalogue_usage(const crypto::Keyring* keyring,
                                                              Id conversation, const Rows& row,
                                                              int column) {
  std::optional<transcript::Usage> usage;
  const auto read = [&](Portion, std::string_view packed) -> Status {
    WEFT_TRY_VALUE(const auto stated, unpack_listed_usage(packed));
    if (stated) usage = stated;
    return {};
  };
  WEFT_TRY(each_portion(keyring, conversation, row, column, read, [](Portion) {}));
  return usage;
}

const LateTable& catalogue_table() {
  static const LateTable table = {
      .name = kCatalogue,
      .version = 2,
      .tables = {"catalogue"},
      .has_row = "SELECT CAST(EXISTS (SELECT 1 FROM catalogue WHERE conversation = ?) AS INTEGER)",
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

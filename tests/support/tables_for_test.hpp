// Helpers for tests of tables that are computed from thoughts: the same answers without them, and
// whether each row is what its thoughts say.
#pragma once

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>

#include "web_for_test.hpp"
#include "weft/query/cost/built_in_prices.hpp"
#include "weft/query/cost/cost.hpp"
#include "weft/query/secrets/list_secrets.hpp"
#include "weft/query/sessions/sessions.hpp"
#include "weft/store/sqlite/fts5/fts5_for_test.hpp"

namespace weft {

// The JSON of an answer, without saying that it was computed.
inline std::string shown(Result<json::object> answer) {
  EXPECT_TRUE(answer) << answer.error().message;
  if (!answer) return {};
  answer->erase("behind");
  return canonical_json(*answer) + "\n";
}

// The outline and the blocks of every conversation, whole and in part.
inline std::string outline_answers(const std::string& path, const crypto::Keyring* keyring) {
  const auto store = store::open_store_to_read(path);
  EXPECT_TRUE(store) << store.error().message;
  if (!store) return {};
  const query::PinnedLibrary library(**store, keyring);
  std::string all;
  for (const store::ConversationRow& row : *(*store)->conversations({})) {
    for (const bool with_all : {false, true}) {
      all += shown(query::outline(library, row, {.all = with_all})) +
             shown(query::outline(library, row, {.all = with_all, .from = 3, .limit = 4})) +
             shown(query::blocks(library, row, {.all = with_all, .limit = 1'000}));
    }
  }
  return all;
}

// Edits as text, in an order that does not depend on ids.
inline std::string shown(Result<store::EditList> answer) {
  EXPECT_TRUE(answer) << answer.error().message;
  if (!answer) return {};
  std::vector<std::string> lines;
  for (const store::EditEntry& entry : answer->entries) {
    std::string& line = lines.emplace_back();
    line = std::to_string(entry.time) + " " + entry.conversation.str() + " " + entry.request.str() +
           " " + (entry.result ? entry.result->str() : "none") + " " +
           std::to_string(static_cast<int>(entry.kind)) + " " + entry.path + " " +
           entry.moved_from + (entry.is_user_modified ? " modified" : "") +
           (entry.is_copy ? " copy" : "");
    for (const std::uint32_t hash : entry.lines) line += " " + std::to_string(hash);
  }
  EXPECT_TRUE(std::ranges::is_sorted(answer->entries, {}, &store::EditEntry::time));
  std::ranges::sort(lines);
  std::string all = std::to_string(answer->sealed) + " sealed\n";
  for (const std::string& line : lines) all += line + "\n";
  return all;
}

// The edits of all files, of each file, and of each conversation.
inline std::string edit_answers(const std::string& path, const crypto::Keyring* keyring) {
  const auto store = store::open_store_to_read(path);
  EXPECT_TRUE(store) << store.error().message;
  if (!store) return {};
  std::string all = shown((*store)->edits({.keyring = keyring}));
  std::set<std::string> names = {"a-file-that-nobody-edits"};
  for (const store::EditEntry& entry : (*store)->edits({.keyring = keyring})->entries) {
    for (const std::string& edited : {entry.path, entry.moved_from}) {
      names.emplace(store::file_name_of(edited));
    }
  }
  names.erase("");
  for (const std::string& name : names) {
    all += name + ": " + shown((*store)->edits({.file_name = name, .keyring = keyring}));
  }
  for (const store::ConversationRow& row : *(*store)->conversations({})) {
    all += shown((*store)->edits({.conversation = row.cid, .keyring = keyring}));
  }
  return all;
}

// The secrets of all conversations together and of each.
inline std::string secret_answers(const std::string& path, const crypto::Keyring* keyring) {
  const auto store = store::open_store_to_read(path);
  EXPECT_TRUE(store) << store.error().message;
  if (!store) return {};
  const query::PinnedLibrary library(**store, keyring);
  std::string all = shown(query::list_secrets(library, {}));
  for (const store::ConversationRow& row : *(*store)->conversations({})) {
    all += shown(query::list_secrets(library, {.conversation = row}));
  }
  return all;
}

// Everything that is asked of tables, for all conversations together and for each.
inline std::string table_answers(const std::string& path, const crypto::Keyring* keyring) {
  const auto store = store::open_store_to_read(path);
  EXPECT_TRUE(store) << store.error().message;
  if (!store) return {};
  const query::PinnedLibrary library(**store, keyring);
  std::string all = shown(query::list(library, {.internal = true})) +
                    shown(query::list(library, {.fold = true})) + shown(query::stats(library, {})) +
                    shown(query::activity(library, {})) + shown(query::list_sessions(library, {}));
  const auto prices = query::PriceTable::parse(query::built_in_prices(), "prices.tsv");
  EXPECT_TRUE(prices) << prices.error().message;
  const auto cost = [&](const query::CostOptions& options) {
    return shown(query::cost(library, *prices, options));
  };
  for (const query::CostBy by :
       {query::CostBy::day, query::CostBy::model, query::CostBy::project, query::CostBy::session}) {
    all += cost({.by = by}) + cost({.by = by, .rules = query::CostRules::ccusage});
  }
  for (const store::ConversationRow& row : *(*store)->conversations({})) {
    all += shown(query::stats(library, row)) +
           shown(query::activity(library, {.conversation = row})) + cost({.conversation = row});
  }
  return all + outline_answers(path, keyring) + edit_answers(path, keyring) +
         secret_answers(path, keyring);
}

// The same with the blocks read one by one: of a copy of the store whose tables do not count.
inline std::string slow_answers(const std::string& path, const crypto::Keyring* keyring,
                                std::string (*ask)(const std::string&,
                                                   const crypto::Keyring*) = table_answers) {
  const TempDir dir;
  const std::string copy = dir / "weft.db";
  Tool(path).run("VACUUM INTO '" + copy + "'");
  Tool(copy).run("UPDATE late_tables SET version = 0");
  return ask(copy, keyring);
}

// Turns a store into what version 8 had.
inline void turn_to_version_8(const std::string& path) {
  ASSERT_TRUE(store::sql::turn_to_version_16(path));
  Tool(path).run(
      "DROP TRIGGER upgraded_names; DROP TRIGGER upgraded_sources; DROP TRIGGER upgraded_index;"
      "DROP TRIGGER upgraded_wipes; DROP TRIGGER upgraded_sums; DROP TABLE late_tables;"
      "DROP TABLE catalogue; DROP TABLE tallies; DROP TABLE tally_days; DROP TABLE table_sums;"
      "DROP TABLE requests; DROP TABLE request_pages; DROP TABLE request_sums;"
      "DROP TABLE outlines; DROP TABLE "
      "outline_pages; DROP TABLE edits; DROP TABLE edit_pages; DROP TABLE edit_names;"
      "DROP TABLE secrets; DROP TABLE secret_pages;"
      "PRAGMA user_version = 8");
}

// Nothing that verify recomputes objects to any table.
inline void expect_sound_tables(const std::string& path, const crypto::Keyring* keyring) {
  const auto store = store::open_store_to_read(path);
  ASSERT_TRUE(store) << store.error().message;
  const auto checks = (*store)->derived().checks(store::CheckDepth::full);
  ASSERT_TRUE(checks) << checks.error().message;
  for (const store::StoreCheck& check : *checks) {
    const auto found = (*store)->derived().run(check, keyring);
    ASSERT_TRUE(found) << found.error().message;
    for (const store::StoreFinding& finding : *found) {
      ADD_FAILURE() << finding.table << ": " << finding.what;
    }
  }
}

}  // namespace weft

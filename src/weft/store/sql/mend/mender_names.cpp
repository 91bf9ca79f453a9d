// Mends names, ids and words: what other rows are made of.
#include <algorithm>
#include <set>

#include "weft/base/try.hpp"
#include "weft/store/sql/mend/bit_search.hpp"
#include "weft/store/sql/mend/mender.hpp"

namespace weft::store::sql {

// The row is as it was, and has another name than its content. Either its name was changed, or its
// id, and the name that it had is left without a row.
Result<bool> Mender::mend_name(const ThoughtRow& row, const Cid& computed) {
  const Words words(database());
  const Result<std::optional<Found>> known = find_name(database(), words, computed);
  if (known && *known && (*known)->id != row.id) return move_row(row, (*known)->id);
  return commit_if(
      {computed, "names", "the name follows from the thought"},
      [&] {
        return database().run(
            "INSERT INTO names (id, cid) VALUES (?, ?) "
            "ON CONFLICT (id) DO UPDATE SET cid = excluded.cid",
            row.id, blob(computed.digest()));
      },
      [&] { return is_sound(row.id); });
}

Result<bool> Mender::move_row(const ThoughtRow& row, Id id) {
  WEFT_TRY_VALUE(const auto taken, find_row(database(), id));
  if (taken) return false;
  WEFT_TRY_VALUE(const auto name, find_stored_name(id));
  return commit_if(
      {name, "thoughts", "a changed bit of `id` was changed back"},
      [&] { return database().run("UPDATE thoughts SET id = ? WHERE id = ?", id, row.id); },
      [&] { return is_sound(id); });
}

// A name one bit away that has lost its row may be the name of this one. References count from the
// id, so the content hashes to its CID only there.
Result<bool> Mender::mend_id(const ThoughtRow& row) {
  for (int bit = 0; bit < 63; ++bit) {
    ThoughtRow moved = row;
    moved.id = row.id ^ (Id{1} << bit);
    WEFT_TRY_VALUE(const auto name, find_stored_name(moved.id));
    if (!name) continue;
    WEFT_TRY_VALUE(const auto taken, find_row(database(), moved.id));
    if (taken || judge_.judge(moved.columns(), *name).flaw == Flaw::content) continue;
    WEFT_TRY_VALUE(const bool is_moved, move_row(row, moved.id));
    if (is_moved) return true;
  }
  return false;
}

// A type that was changed damages every thought of it.
Result<bool> Mender::mend_type_words() {
  std::set<Id> tried;
  const std::set<Id> suspects(suspects_.thoughts.begin(), suspects_.thoughts.end());
  for (const Id id : suspects_.thoughts) {
    WEFT_TRY_VALUE(const auto row, find_row(database(), id));
    if (!row || !tried.insert(row->type).second) continue;
    bool are_all_damaged = true;
    {
      Rows rows = database().query("SELECT id FROM thoughts WHERE type = ?", row->type);
      while (are_all_damaged && rows.next()) are_all_damaged = suspects.contains(rows.integer(0));
      WEFT_TRY(rows.status());
    }
    if (!are_all_damaged) continue;
    WEFT_TRY_VALUE(const bool is_mended, mend_word(row->type, [&]() -> Result<bool> {
                     WEFT_TRY_VALUE(const auto name, find_stored_name(id));
                     return name && judge_.judge(row->columns(), *name).flaw != Flaw::content;
                   }));
    if (is_mended) return true;
  }
  return false;
}

Result<bool> Mender::mend_word(Id word, const Holds& holds) {
  std::string text;
  {
    Rows row = database().query("SELECT text FROM words WHERE id = ?", word);
    if (row.next()) text = row.bytes(0);
    WEFT_TRY(row.status());
  }
  for (std::size_t bit = 0; bit < text.size() * 8; ++bit) {
    const std::string changed = with_bit_changed(text, bit);
    Result<bool> is_mended = commit_if(
        {std::nullopt, "words", "a changed bit of `text` was changed back"},
        [&] {
          return database().run(
              "UPDATE words SET text = ?2 WHERE id = ?1 AND NOT EXISTS "
              "(SELECT 1 FROM words WHERE text = ?2)",
              word, std::string_view(changed));
        },
        holds);
    if (!is_mended || *is_mended) return is_mended;
  }
  return false;
}

}  // namespace weft::store::sql

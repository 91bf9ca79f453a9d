#include "weft/store/sql/late/stored_thought.hpp"

#include "weft/base/try.hpp"
#include "weft/store/body.hpp"
#include "weft/store/sql/read/thought_columns.hpp"

namespace weft::store::sql {
namespace {

std::optional<crypto::Box> box_in(const std::optional<std::string_view>& column) {
  if (!column) return std::nullopt;
  Result<crypto::Box> box = unpack_box(*column);
  return box ? std::optional(*std::move(box)) : std::nullopt;
}

}  // namespace

Result<std::optional<StoredThought>> find_stored(LateContext& with, Id id) {
  StoredThought found;
  {
    Rows rows = with.database.query("SELECT * FROM thoughts WHERE id = ?", id);
    if (!rows.next()) {
      WEFT_TRY(rows.status());
      return std::nullopt;
    }
    const ThoughtColumns row = ThoughtColumns::of(rows);
    found.type = row.type;
    found.author = row.created_by;
    found.thought.created_at = row.created_at;
    if (const auto refs = unpack_refs(row.because, id); refs && !refs->empty()) {
      found.first_cause = refs->front().thought;
    }
    found.thought.layers = {box_in(row.metadata), box_in(row.content)};
    if (!is_packed_turn(row.body)) {
      if (Result<json::object> content = unpack_body(row.body)) {
        found.thought.content = *std::move(content);
      }
    }
  }
  if (const Result<std::string_view> type = with.words.text(found.type)) found.thought.type = *type;
  if (found.thought.layers.metadata || found.thought.layers.content) {
    const Result<Cid> author = get_cid(with.database, with.words, found.author);
    if (author) found.thought.created_by = *author;
  }
  return found;
}

}  // namespace weft::store::sql

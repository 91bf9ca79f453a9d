// Puts a copy of a thought, woven again from its source, in the place of its row.
#include "weft/base/try.hpp"
#include "weft/store/body.hpp"
#include "weft/store/sqlite/mend/mender.hpp"

namespace weft::store::sql {
namespace {

// The row of a thought as the writer makes it, without its signature. Empty if the store does not
// know something that the thought refers to.
Result<std::optional<ThoughtRow>> to_row(const Database& database, const thought::Thought& thought,
                                         Id id) {
  const Words words(database);
  ThoughtRow row{.id = id, .created_at = thought.created_at};
  WEFT_TRY_VALUE(const auto type, words.find_id(thought.type));
  WEFT_TRY_VALUE(const auto creator, find_id(database, words, thought.created_by));
  if (!type || !creator) return std::nullopt;
  row.type = *type;
  row.created_by = *creator;
  if (thought.source) {
    WEFT_TRY_VALUE(row.source, find_id(database, words, *thought.source));
    if (!row.source) return std::nullopt;
  }
  for (const thought::ContentRef& ref : thought.because) {
    WEFT_TRY_VALUE(const auto cause, find_id(database, words, ref.thought));
    if (!cause) return std::nullopt;
    const std::string extra = pack_extra(ref);
    append_ref(row.because.emplace(row.because.value_or("")), id, {*cause, extra});
  }
  for (const auto& [box, column] : {std::pair(&thought.layers.metadata, &row.metadata),
                                    {&thought.layers.content, &row.content}}) {
    if (!*box) continue;
    WEFT_TRY_VALUE(*column, pack_box(**box));
  }
  row.body = pack_body(thought.content);
  if (thought::kind_of(thought.type) == "turn") {
    const auto text = find_string(thought.content, "conversation");
    const Result<Cid> conversation = Cid::parse(text.value_or(""));
    if (conversation) {
      WEFT_TRY_VALUE(const auto found, find_id(database, words, *conversation));
      if (found) {
        row.body = pack_turn(body_text(thought.content), id, *conversation, *found)
                       .value_or(std::move(row.body));
      }
    }
  }
  return row;
}

}  // namespace

Result<bool> Mender::put_back(const thought::Thought& thought) {
  const Words words(database());
  WEFT_TRY_VALUE(const auto id, find_id(database(), words, thought.cid));
  if (!id) return false;
  WEFT_TRY_VALUE(const bool is_undamaged, is_sound(*id));
  if (is_undamaged) return false;
  WEFT_TRY_VALUE(auto row, to_row(database(), thought, *id));
  if (!row) return false;
  WEFT_TRY_VALUE(const auto stored, find_row(database(), *id));
  if (stored) row->signature = stored->signature;
  // A copy need not be signed, and a tree signature of it is of another commit.
  if (judge_.judge(row->columns(), thought.cid).flaw != Flaw::none) {
    const auto* own = std::get_if<crypto::SignatureBytes>(&thought.signature);
    std::optional<std::string> found = find_signature(*row, thought.cid);
    if (!found && own != nullptr) found.emplace(own->begin(), own->end());
    row->signature = found.value_or("");
  }
  return commit_if(
      {thought.cid, "thoughts", "woven again from its source"},
      [&] { return stored ? update_row(database(), *row) : insert_row(database(), *row); },
      [&] { return is_sound(*id); });
}

}  // namespace weft::store::sql

#include "weft/store/sql/edits/edit_table.hpp"

#include <algorithm>

#include "weft/base/try.hpp"
#include "weft/store/sql/edits/added_calls.hpp"
#include "weft/store/sql/edits/edit_rows.hpp"

namespace weft::store::sql {
namespace {

constexpr std::string_view kEdits = "edits";

// The names of calls, and of the keys that seal them.
Result<std::set<EditName>> names_of(const std::vector<CallStatement>& calls,
                                    const std::set<std::int64_t>& call_keys, const CallKeys& keys) {
  std::set<EditName> names;
  for (const CallStatement& call : calls) WEFT_TRY(add_names(call, keys, names));
  for (const std::int64_t key : call_keys) {
    names.insert({.kind = EditName::Kind::key, .name = key});
    if (!keys.opens(key)) names.insert({.kind = EditName::Kind::unopened});
  }
  return names;
}

Status append_calls(LateContext& with, Id conversation, const std::vector<CallStatement>& calls,
                    const std::set<std::int64_t>& call_keys) {
  const CallKeys keys(with.keyring);
  WEFT_TRY_VALUE(const auto names, names_of(calls, call_keys, keys));
  WEFT_TRY(write_names(with.database, conversation, names));
  return EditRows(with.database, with.keyring, conversation).append(calls);
}

Status remove_edits(LateContext& with, Id conversation) {
  WEFT_TRY(remove_names(with.database, conversation));
  return EditRows(with.database, with.keyring, conversation).remove();
}

Status fill_edits(LateContext& with, Id conversation) {
  WEFT_TRY_VALUE(const ConversationCalls computed, read_calls(with, conversation));
  WEFT_TRY(remove_edits(with, conversation));
  return append_calls(with, conversation, computed.calls, computed.keys);
}

Result<bool> has_row(LateContext& with, Id conversation) {
  Rows rows = with.database.query("SELECT 1 FROM edits WHERE conversation = ?", conversation);
  const bool found = rows.next();
  WEFT_TRY(rows.status());
  return found;
}

Status add_edits(LateContext& with, const LateAddition& addition) {
  AddedCalls added(with, addition);
  WEFT_TRY(added.find());
  bool is_written = false;
  for (const auto& [conversation, calls] : added.statements()) {
    const bool is_here = conversation == addition.conversation;
    bool is_indexed = is_here;
    if (!is_here) {
      WEFT_TRY_VALUE(is_indexed, has_row(with, conversation));
    }
    if (!is_indexed) continue;
    WEFT_TRY(append_calls(with, conversation, calls,
                          is_here ? added.call_keys() : std::set<std::int64_t>()));
    is_written = is_written || is_here;
  }
  if (is_written || (!addition.is_new && added.call_keys().empty())) return {};
  if (addition.is_new) return append_calls(with, addition.conversation, {}, added.call_keys());
  WEFT_TRY_VALUE(const auto names, names_of({}, added.call_keys(), CallKeys(with.keyring)));
  return write_names(with.database, addition.conversation, names);
}

// A name may be there for a call that was superseded since: it only costs time.
bool has_names(const std::set<EditName>& stored, const std::set<EditName>& computed) {
  const auto is_file = [](const EditName& name) { return name.kind == EditName::Kind::file; };
  std::set<EditName> keys;
  std::ranges::remove_copy_if(stored, std::inserter(keys, keys.end()), is_file);
  return std::ranges::includes(stored, computed) && std::ranges::includes(computed, keys);
}

Status check_edits(LateContext& with, Id conversation, FindingList& out) {
  WEFT_TRY_VALUE(auto stored_names, read_names(with.database, conversation));
  // Another keyring opens what that of the row's writer did not.
  if (stored_names.erase({.kind = EditName::Kind::unopened}) > 0) return {};
  WEFT_TRY_VALUE(ConversationCalls computed, read_calls(with, conversation));
  const Result<std::optional<StoredCalls>> stored =
      EditRows(with.database, with.keyring, conversation).find({});
  if (!stored && stored.error().code != ErrorCode::corrupt) return fail(Error(stored.error()));
  bool is_same = stored && *stored;
  if (is_same && (*stored)->is_closed) {
    std::erase_if(computed.calls, [](const CallStatement& call) { return call.is_sealed; });
  }
  is_same = is_same && (*stored)->calls == computed.calls;
  if (is_same) {
    WEFT_TRY_VALUE(auto names, names_of(computed.calls, computed.keys, CallKeys(with.keyring)));
    names.erase({.kind = EditName::Kind::unopened});
    is_same = has_names(stored_names, names);
  }
  if (!is_same) {
    out.add(kEdits, "the edits of this conversation are not those of its calls", conversation);
  }
  return {};
}

}  // namespace

const LateTable& edit_table() {
  static const LateTable table = {
      .name = kEdits,
      .version = 1,
      .tables = {"edits", "edit_pages", "edit_names"},
      .has_row = "SELECT CAST(EXISTS (SELECT 1 FROM edits WHERE conversation = ?) AS INTEGER)",
      .missing =
          "SELECT id, blocks FROM conversations WHERE NOT EXISTS "
          "(SELECT 1 FROM edits WHERE conversation = conversations.id) "
          "ORDER BY touched DESC LIMIT 256",
      .count = "SELECT count(*) FROM edits",
      .clear = "DELETE FROM edits",
      .fill = fill_edits,
      .add = add_edits,
      .remove = remove_edits,
      .check = check_edits};
  return table;
}

}  // namespace weft::store::sql

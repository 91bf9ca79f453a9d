// The edits of files: from the rows of conversations that edit such a file, or computed where a row
// is missing.
#include <algorithm>
#include <map>
#include <tuple>

#include "weft/base/try.hpp"
#include "weft/store/sql/edits/conversation_calls.hpp"
#include "weft/store/sql/edits/edit_rows.hpp"
#include "weft/store/sql/edits/edit_table.hpp"
#include "weft/store/sql/late/places.hpp"
#include "weft/store/sql/read/reader.hpp"

namespace weft::store::sql {
namespace {

// Answers one request. Rows of `edits` that are there are trusted, as far as the keyring opens
// them.
class EditReader {
 public:
  // All outlive it.
  EditReader(LateContext with, const Names& names, const EditsRequest& request)
      : with_(with),
        names_(names),
        request_(request),
        file_name_(file_name_of(request.file_name)),
        keys_(request.keyring) {}

  Result<EditList> read() {
    WEFT_TRY(find_scope());
    WEFT_TRY(find_seals());
    WEFT_TRY_VALUE(const std::set<Id> wanted, find_wanted());
    std::uint64_t done = 0;
    for (const Id conversation : wanted) {
      WEFT_TRY(add_conversation(conversation));
      if (request_.go_on && !request_.go_on(++done, wanted.size())) {
        return fail(ErrorCode::unavailable, "the answer was called off");
      }
    }
    out_.sealed = sealed_.size();
    std::ranges::stable_sort(out_.entries, {}, &EditEntry::time);
    return std::move(out_);
  }

 private:
  // The conversations that are asked about, and those of them without a row.
  Status find_scope() {
    if (request_.conversation) {
      WEFT_TRY_VALUE(only_, names_.find_id(*request_.conversation));
      if (!only_) only_ = 0;  // of no conversation
    }
    WEFT_TRY_VALUE(has_table_, has_late_table(with_.database, edit_table()));
    WEFT_TRY_VALUE(const LateState state, late_state(with_.database, edit_table()));
    const bool is_behind = state.done < state.all;
    // Where every conversation has a row and a file is named, the names lead to all that count.
    if (file_name_.empty() || !has_table_ || only_) {
      Rows rows = with_.database.query(
          "SELECT id FROM conversations WHERE id = ?1 OR ?1 IS NULL ORDER BY id", only_);
      while (rows.next()) scope_.insert(rows.integer(0));
      WEFT_TRY(rows.status());
    }
    if (!has_table_) {
      missing_ = scope_;
    } else if (is_behind) {
      Rows rows = with_.database.query(
          "SELECT id FROM conversations WHERE NOT EXISTS "
          "(SELECT 1 FROM edits WHERE conversation = conversations.id) "
          "AND (id = ?1 OR ?1 IS NULL)",
          only_);
      while (rows.next()) missing_.insert(rows.integer(0));
      WEFT_TRY(rows.status());
    }
    out_.rows.all = only_ ? scope_.size() : static_cast<std::uint64_t>(state.all);
    out_.rows.done = out_.rows.all - missing_.size();
    return {};
  }

  bool is_asked(Id conversation) const { return !only_ || *only_ == conversation; }

  // The conversations with sealed calls, and those whose rows are not whole.
  Status find_seals() {
    if (!has_table_) return {};
    Rows rows = with_.database.query(
        "SELECT conversation, name FROM edit_names WHERE kind = ? ORDER BY name",
        static_cast<std::int64_t>(EditName::Kind::key));
    while (rows.next()) {
      const Id conversation = rows.integer(0);
      if (!is_asked(conversation) || missing_.contains(conversation)) continue;
      if (keys_.opens(rows.integer(1))) opened_.insert(conversation);
      else sealed_.insert(conversation);
    }
    WEFT_TRY(rows.status());
    WEFT_TRY_VALUE(const auto unopened,
                   find_conversations(with_.database, {.kind = EditName::Kind::unopened}));
    unopened_ = {unopened.begin(), unopened.end()};
    return {};
  }

  Result<std::set<Id>> find_wanted() {
    if (file_name_.empty() || !has_table_) return scope_;
    std::set<Id> wanted = missing_;
    for (const EditName& name : names_of_file(file_name_, keys_)) {
      WEFT_TRY_VALUE(const auto found, find_conversations(with_.database, name));
      wanted.insert(found.begin(), found.end());
    }
    // What their writers did not open, this keyring may.
    std::ranges::set_intersection(unopened_, opened_, std::inserter(wanted, wanted.end()));
    std::erase_if(wanted, [&](Id conversation) { return !is_asked(conversation); });
    return wanted;
  }

  Status add_conversation(Id conversation) {
    std::optional<StoredCalls> stored;
    const bool is_opened = opened_.contains(conversation);
    const bool is_whole = !is_opened || !unopened_.contains(conversation);
    if (!missing_.contains(conversation) && is_whole) {
      const EditRows rows(with_.database, request_.keyring, conversation);
      WEFT_TRY_VALUE(stored, rows.find(file_name_));
      // Its calls were sealed with a key of this keyring, and its rows with another.
      if (stored && stored->is_closed && is_opened) stored.reset();
    }
    if (!stored) {
      WEFT_TRY_VALUE(ConversationCalls computed, read_calls(with_, conversation));
      const bool is_sealed =
          !std::ranges::all_of(computed.keys, [&](std::int64_t key) { return keys_.opens(key); });
      if (is_sealed) sealed_.insert(conversation);
      stored = StoredCalls{.calls = std::move(computed.calls)};
    }
    return add_entries(conversation, std::move(stored->calls));
  }

  Status add_entries(Id conversation, std::vector<CallStatement> calls) {
    std::optional<Cid> name;
    Places places(with_, conversation);
    for (CallStatement& call : calls) {
      std::erase_if(call.edits,
                    [&](const CallEdit& edit) { return !is_of_file(edit, file_name_); });
      if (call.edits.empty()) continue;
      if (!name) {
        WEFT_TRY_VALUE(name, names_.cid(conversation));
      }
      EditEntry entry{.conversation = *name, .request = {}, .time = call.time};
      WEFT_TRY_VALUE(entry.request, names_.cid(call.request));
      if (call.result) {
        WEFT_TRY_VALUE(entry.result, names_.cid(*call.result));
      }
      WEFT_TRY_VALUE(const bool is_own, places.is_own(call.request));
      entry.is_copy = !is_own;
      for (CallEdit& edit : call.edits) {
        EditEntry& added = out_.entries.emplace_back(entry);
        added.kind = edit.kind;
        added.path = std::move(edit.path);
        added.moved_from = std::move(edit.moved_from);
        added.is_user_modified = edit.is_user_modified;
        added.lines = std::move(edit.lines);
      }
    }
    return {};
  }

  LateContext with_;
  const Names& names_;
  const EditsRequest& request_;
  const std::string_view file_name_;
  const CallKeys keys_;
  std::optional<Id> only_{};  // the conversation that is asked about; all, if it is empty
  bool has_table_ = false;
  std::set<Id> scope_{}, missing_{};
  std::set<Id> sealed_{}, opened_{};  // with calls that the keyring does not open; that it does
  std::set<Id> unopened_{};           // whose rows lack what their writers did not open
  EditList out_{};
};

}  // namespace

Result<EditList> Reader::edits(const EditsRequest& request) {
  return EditReader(late(request.keyring), names_, request).read();
}

}  // namespace weft::store::sql

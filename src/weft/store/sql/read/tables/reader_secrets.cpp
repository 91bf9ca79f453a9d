// The secrets of conversations: from their rows, or computed where one is missing.
#include <algorithm>
#include <map>

#include "weft/base/try.hpp"
#include "weft/store/sql/read/reader.hpp"
#include "weft/store/sql/secrets/secret_table.hpp"

namespace weft::store::sql {
namespace {

// Answers one request.
class SecretEntries {
 public:
  // All outlive it.
  SecretEntries(LateContext with, const Names& names, const SecretsRequest& request)
      : with_(with), names_(names), request_(request) {}

  Result<SecretTable> read() {
    WEFT_TRY_VALUE(has_table_, has_late_table(with_.database, secret_table()));
    WEFT_TRY_VALUE(const auto scope, find_scope());
    out_.rows.all = scope.size();
    std::uint64_t done = 0;
    for (const Id conversation : scope) {
      WEFT_TRY(add_conversation(conversation));
      if (request_.go_on && !request_.go_on(++done, scope.size())) {
        return fail(ErrorCode::unavailable, "the answer was called off");
      }
    }
    return std::move(out_);
  }

 private:
  Result<std::vector<Id>> find_scope() const {
    std::optional<Id> only;
    if (request_.conversation) {
      WEFT_TRY_VALUE(only, names_.find_id(*request_.conversation));
      if (!only) return std::vector<Id>();
    }
    std::vector<Id> scope;
    Rows rows = with_.database.query(
        "SELECT id FROM conversations WHERE id = ?1 OR ?1 IS NULL ORDER BY id", only);
    while (rows.next()) scope.push_back(rows.integer(0));
    WEFT_TRY(rows.status());
    return scope;
  }

  Status add_conversation(Id conversation) {
    std::optional<StoredSecrets> found;
    if (has_table_) {
      WEFT_TRY_VALUE(found, SecretRows(with_.database, request_.keyring, conversation).find());
    }
    out_.rows.done += found ? 1 : 0;
    // What the writer of the row could not open, this keyring may.
    if (!found || found->unopened > 0) {
      WEFT_TRY_VALUE(found, read_secrets(with_, conversation));
    }
    bool is_sealed = found->unopened > 0;
    for (const bool is_closed : found->is_closed) is_sealed = is_sealed || is_closed;
    out_.sealed += is_sealed ? 1 : 0;
    if (found->rows.empty()) return {};
    // Sealed portions stand in columns of their own.
    std::ranges::sort(found->rows);
    WEFT_TRY_VALUE(const Cid name, names_.cid(conversation));
    for (SecretRow& row : found->rows) {
      SecretEntry& entry = out_.entries.emplace_back();
      entry.conversation = name;
      WEFT_TRY_VALUE(entry.thought, names_.cid(row.thought));
      WEFT_TRY_VALUE(const Known known, about(row.thought));
      WEFT_TRY_VALUE(entry.type, with_.words.text(known.type));
      entry.time = known.time;
      entry.place = std::move(row.place);
    }
    return {};
  }

  struct Known {
    Id type = 0;
    Millis time = 0;
  };
  Result<Known> about(Id thought) {
    const auto [known, is_new] = thoughts_.try_emplace(thought);
    if (is_new) {
      Rows row =
          with_.database.query("SELECT type, created_at FROM thoughts WHERE id = ?", thought);
      if (row.next()) known->second = {row.integer(0), row.integer(1)};
      WEFT_TRY(row.status());
    }
    return known->second;
  }

  LateContext with_;
  const Names& names_;
  const SecretsRequest& request_;
  bool has_table_ = false;
  std::map<Id, Known> thoughts_{};
  SecretTable out_{};
};

}  // namespace

Result<SecretTable> Reader::secrets(const SecretsRequest& request) {
  return SecretEntries(late(request.keyring), names_, request).read();
}

}  // namespace weft::store::sql

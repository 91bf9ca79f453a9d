#include "weft/store/sql/mend/mender.hpp"

#include <algorithm>

#include "weft/base/try.hpp"
#include "weft/store/sql/mend/bit_search.hpp"
#include "weft/store/sql/mend/row_search.hpp"

namespace weft::store::sql {

void Mender::forget() {
  reader_.forget();
  judge_.forget();
}

Result<bool> Mender::commit_if(MendedRow row, const Change& change, const Holds& holds) {
  forget();
  WEFT_TRY_VALUE(auto transaction, Transaction::begin(database(), Transaction::Kind::immediate));
  Status status = database().backend().check_current();
  if (status) status = change();
  Result<bool> held = false;
  if (status) held = holds();
  if (status && !held) status = fail(std::move(held).error());
  if (status && *held) status = transaction.commit();
  forget();
  if (!status) return fail(std::move(status).error());
  if (*held) report_.mended.push_back(std::move(row));
  return *held;
}

Result<std::optional<Cid>> Mender::find_stored_name(Id id) const {
  Rows row = database().query("SELECT cid FROM names WHERE id = ?", id);
  if (row.next()) {
    const Result<Cid> cid = to_cid(row.bytes(0));
    if (cid) return *cid;
    return std::nullopt;
  }
  WEFT_TRY(row.status());
  return std::nullopt;
}

Result<bool> Mender::is_sound(Id id) {
  WEFT_TRY_VALUE(auto name, find_stored_name(id));
  WEFT_TRY_VALUE(const auto row, find_row(database(), id));
  return name && row && judge_.judge(row->columns(), *name).flaw == Flaw::none &&
         judge_.is_proven(row->columns());
}

Result<MendReport> Mender::mend(Suspects suspects) {
  suspects_ = std::move(suspects);
  for (bool is_changed = true; is_changed;) {
    WEFT_TRY_VALUE(is_changed, settle_thoughts());
    if (!is_changed) {
      WEFT_TRY_VALUE(is_changed, mend_type_words());
    }
    if (!is_changed) {
      WEFT_TRY_VALUE(is_changed, search_thoughts());
    }
    // The names that connections are made of are mended by now, as far as they can be.
    WEFT_TRY_VALUE(const bool is_tree_mended, mend_trees());
    if (is_tree_mended) given_up_.clear();
    is_changed = is_changed || is_tree_mended;
  }
  WEFT_TRY(report_lost());
  return std::move(report_);
}

Result<bool> Mender::settle_thoughts() {
  bool is_changed = false;
  std::vector<Id> left;
  for (const Id id : suspects_.thoughts) {
    WEFT_TRY_VALUE(const auto row, find_row(database(), id));
    if (!row) continue;  // it has another id now
    WEFT_TRY_VALUE(const auto name, find_stored_name(id));
    const Judgement judgement =
        name ? judge_.judge(row->columns(), *name) : judge_.judge(row->columns(), Cid());
    if (name && judgement.flaw == Flaw::none) continue;
    WEFT_TRY_VALUE(const bool is_mended, settle_thought(*row, name, judgement));
    is_changed = is_changed || is_mended;
    if (!is_mended) left.push_back(id);
  }
  is_changed = is_changed || left.size() != suspects_.thoughts.size();
  suspects_.thoughts = std::move(left);
  return is_changed;
}

Result<bool> Mender::settle_thought(const ThoughtRow& row, const std::optional<Cid>& name,
                                    const Judgement& judgement) {
  if (name && judgement.flaw == Flaw::signature) return mend_signature(row, *name);
  if (judgement.flaw != Flaw::content || !judgement.computed) return false;
  if (name && judgement.computed == *name) {  // an identity must be its own creator
    ThoughtRow own = row;
    own.created_by = row.id;
    return commit_if(
        {*name, "thoughts", "`created_by` follows from the identity"},
        [&] { return update_row(database(), own); }, [&] { return is_sound(row.id); });
  }
  // If it is well signed under the CID that its content has, then its name was changed. A tree
  // names its leaves by their stored names, so it is asked once the name is mended.
  const Flaw flaw = judge_.judge(row.columns(), *judgement.computed).flaw;
  const bool is_own_creator = row.created_by == row.id;  // then its creator's name is its own
  if (flaw != Flaw::none && flaw != Flaw::signature && !is_own_creator) return false;
  return mend_name(row, *judgement.computed);
}

Result<bool> Mender::mend_signature(const ThoughtRow& row, const Cid& cid) {
  const std::optional<std::string> signature = find_signature(row, cid);
  if (!signature) return false;
  ThoughtRow mended = row;
  mended.signature = *signature;
  return commit_if(
      {cid, "thoughts", "the signature was made or found again"},
      [&] { return update_row(database(), mended); }, [&] { return is_sound(row.id); });
}

// Ed25519 gives the same signature every time.
std::optional<std::string> Mender::find_signature(ThoughtRow row, const Cid& cid) {
  const auto holds = [&](std::string signature) {
    row.signature = std::move(signature);
    return judge_.judge(row.columns(), cid).flaw == Flaw::none;
  };
  const std::string stored = row.signature;
  if (const auto again = judge_.sign_again(row.created_by, cid)) {
    if (holds({again->begin(), again->end()})) return row.signature;
  }
  for (std::size_t bit = 0; bit < stored.size() * 8; ++bit) {
    if (holds(with_bit_changed(stored, bit))) return row.signature;
  }
  if (holds({})) return row.signature;  // by the tree, where it stands
  return std::nullopt;
}

Result<bool> Mender::search_thoughts() {
  std::uint64_t done = 0;
  for (const Id id : suspects_.thoughts) {
    if (options_.progress) options_.progress(done++, suspects_.thoughts.size());
    if (given_up_.contains(id)) continue;
    WEFT_TRY_VALUE(const bool is_mended, search_thought(id));
    // Others may have been damaged through it alone.
    if (is_mended) return true;
  }
  return false;
}

Result<bool> Mender::search_thought(Id id) {
  WEFT_TRY_VALUE(const auto row, find_row(database(), id));
  if (!row) return true;
  WEFT_TRY_VALUE(const bool is_moved, mend_id(*row));
  if (is_moved) return true;
  WEFT_TRY_VALUE(const auto name, find_stored_name(id));
  if (!name) {
    given_up_[id] = "its name is damaged, and the row is not well signed without it";
    return false;
  }
  const Judgement judgement = judge_.judge(row->columns(), *name);
  if (judgement.flaw != Flaw::content) {
    given_up_[id] = judgement.reason;
    return false;
  }
  FoundRow found = find_changed_bit(
      reader_, *row, *name, {.threads = options_.threads, .budget_bytes = options_.budget_bytes});
  if (found.row) {
    const std::string how = "a changed bit of `" + std::string(found.column) + "` was changed back";
    if (judge_.judge(found.row->columns(), *name).flaw == Flaw::signature) {
      if (auto signature = find_signature(*found.row, *name)) found.row->signature = *signature;
    }
    WEFT_TRY_VALUE(const bool is_mended,
                   commit_if(
                       {*name, "thoughts", how}, [&] { return update_row(database(), *found.row); },
                       [&] { return is_sound(id); }));
    if (is_mended) return true;
  }
  given_up_[id] = judgement.reason + (found.is_cut_off ? "; it is too large to try every bit of it"
                                                       : "; no single changed bit explains it");
  return false;
}

Result<LostRow> Mender::describe(Id id, const std::optional<Cid>& cid) {
  LostRow lost{.cid = cid, .table = "thoughts"};
  WEFT_TRY_VALUE(const auto row, find_row(database(), id));
  if (row) {
    lost.created_at = row->created_at;
    Rows word = database().query("SELECT text FROM words WHERE id = ?", row->type);
    if (word.next()) lost.type = word.bytes(0);
    WEFT_TRY(word.status());
  } else {
    lost.reason = "it is not stored any more";
  }
  Rows holders = database().query(
      "SELECT conversation FROM runs WHERE ?1 BETWEEN first AND last "
      "UNION SELECT conversation FROM shares WHERE thought = ?1",
      id);
  while (holders.next()) {
    if (const Result<Cid> holder = reader_.name_of(holders.integer(0))) {
      lost.conversations.push_back(*holder);
    }
  }
  WEFT_TRY(holders.status());
  return lost;
}

Status Mender::report_lost() {
  for (const Id id : suspects_.thoughts) {
    WEFT_TRY_VALUE(const auto name, find_stored_name(id));
    WEFT_TRY_VALUE(auto lost, describe(id, name));
    lost.reason = given_up_[id];
    report_.lost.push_back(std::move(lost));
  }
  for (const auto& [ids, table] :
       {std::pair(&suspects_.pages, "edge_pages"), {&suspects_.checkpoints, "checkpoints"}}) {
    for (const Id id : *ids) {
      LostRow lost{.table = table, .reason = "no single changed bit explains it"};
      WEFT_TRY_VALUE(lost.cid, find_stored_name(id));
      report_.lost.push_back(std::move(lost));
    }
  }
  return {};
}

}  // namespace weft::store::sql

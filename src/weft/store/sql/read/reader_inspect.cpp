// The store as a whole, range by range, for several threads that check it at once. A scan range is
// a range of ids: its names are read first, then its thoughts and connections, which are in the
// same order; a name without either is dangling. Most connections have no stored name: it follows
// from their columns.
#include <algorithm>

#include "weft/base/try.hpp"
#include "weft/store/body.hpp"
#include "weft/store/sql/derived/all_checks.hpp"
#include "weft/store/sql/read/reader.hpp"
#include "weft/store/sql/sums/sums.hpp"
#include "weft/thought/checkpoint.hpp"

namespace weft::store::sql {
namespace {

// Some 300 signatures, 15 ms: at the end no thread waits longer than that for the others.
constexpr std::uint64_t kRangeIds = 1024;
// One damaged id, far out, must not make millions of empty pieces.
constexpr std::uint64_t kMaxRanges = 1 << 16;

}  // namespace

// Pairs the names of a range with its rows, both in the order of their ids.
class Reader::NamesBeside {
 public:
  NamesBeside(std::vector<NamedId>& names, const Inspector& inspector)
      : at_(names.begin()), end_(names.end()), inspector_(inspector) {}

  // Calls `tell` with the name of the next row, or with none.
  template <class Tell>
  void tell(Id id, const Tell& tell) {
    while (at_ != end_ && at_->id < id) ++at_;
    std::optional<Cid> cid;
    if (at_ != end_ && at_->id == id) {
      at_->taken = true;
      if (!at_->cid) return;  // reported already
      cid = *at_->cid;
    }
    if (const Status status = tell(cid); !status) {
      inspector_.broken(cid.value_or(Cid()), status.error().message);
    }
  }

 private:
  std::vector<NamedId>::iterator at_, end_;
  const Inspector& inspector_;
};

Result<std::vector<ScanRange>> Reader::scan_ranges() {
  Rows row = database_.query(
      "SELECT min(first), max(last) FROM ("
      "SELECT (SELECT min(id) FROM names) AS first, (SELECT max(id) FROM names) AS last "
      "UNION ALL SELECT (SELECT min(id) FROM thoughts), (SELECT max(id) FROM thoughts) "
      "UNION ALL SELECT (SELECT min(first) FROM runs), "
      "(SELECT last FROM runs ORDER BY first DESC LIMIT 1)) AS limits");
  std::optional<Id> first, last;
  if (row.next()) first = row.find_integer(0), last = row.find_integer(1);
  WEFT_TRY(row.status());
  WEFT_TRY_VALUE(const auto pages, edges_.pages());
  if (pages) {
    first = std::min(first.value_or(pages->first), pages->first);
    last = std::max(last.value_or(pages->last), pages->last);
  }
  std::vector<ScanRange> scan_ranges;
  if (first && last) {
    // Unsigned, because damaged ids may be any.
    const std::uint64_t span =
        static_cast<std::uint64_t>(*last) - static_cast<std::uint64_t>(*first);
    const std::uint64_t step = std::max(kRangeIds, span / kMaxRanges + 1);
    for (std::uint64_t at = 0, left = span / step + 1; left > 0; --left, at += step) {
      const Id from = static_cast<Id>(static_cast<std::uint64_t>(*first) + at);
      scan_ranges.push_back({{from, left == 1 ? *last : from + static_cast<Id>(step - 1)}});
    }
  }
  return scan_ranges;
}

Status Reader::inspect(const ScanRange& range, const Inspector& inspector) {
  // One look for all three tables: else what a commit adds in between would dangle.
  WEFT_TRY_VALUE(auto transaction, Transaction::begin(database_, Transaction::Kind::deferred));
  std::vector<NamedId> names;
  Rows rows = database_.query("SELECT id, cid FROM names WHERE id BETWEEN ? AND ? ORDER BY id",
                              range.token[0], range.token[1]);
  while (rows.next()) {
    const NamedId& name = names.emplace_back(rows.integer(0), to_cid(rows.bytes(1)));
    if (name.cid) names_.remember(name.id, *name.cid);
    else inspector.broken(Cid(), name.cid.error().message);
  }
  WEFT_TRY(rows.status());

  WEFT_TRY(inspect_thoughts(range, names, inspector));
  NamesBeside beside(names, inspector);
  const auto tell = [&](const Edge& edge) {
    beside.tell(edge.id, [&](const std::optional<Cid>& cid) -> Status {
      WEFT_TRY_VALUE(auto connection, to_connection(edge, WithPaths::no));
      inspector.connection(cid, connection);
      return {};
    });
    return true;
  };
  // A page may reach into the next range: the one in which it begins reports it.
  const auto damaged = [&](Id page, const Error& error) {
    if (page >= range.token[0]) inspector.broken(Cid(), error.message);
  };
  WEFT_TRY(each_edge(range.token[0], range.token[1], tell, damaged));
  for (const NamedId& name : names) {
    if (!name.taken && name.cid) inspector.dangling(*name.cid);
  }
  return {};
}

Status Reader::inspect_thoughts(const ScanRange& range, std::vector<NamedId>& names,
                                const Inspector& inspector) {
  NamesBeside beside(names, inspector);
  CanonicalThought form;
  std::string room;
  Rows rows = database_.query("SELECT * FROM thoughts WHERE id BETWEEN ? AND ? ORDER BY id",
                              range.token[0], range.token[1]);
  while (rows.next()) {
    beside.tell(rows.integer(0), [&](const std::optional<Cid>& cid) -> Status {
      if (!cid) return fail(ErrorCode::corrupt, "a stored name is damaged");
      Status status = read_form(ThoughtColumns::of(rows), *cid, room, form);
      if (status) inspector.thought(form);
      return status;
    });
  }
  return rows.status();
}

// `room` and what `form` has allocated are used again from row to row.
Status Reader::read_form(const ThoughtColumns& row, const Cid& cid, std::string& room,
                         CanonicalThought& form) {
  Result<thought::Thought> thought = to_bare_thought(row, cid, WithPaths::no);
  if (!thought) return fail(std::move(thought).error());
  WEFT_TRY_VALUE(auto clear, to_text(row, room));
  form.thought = *std::move(thought);
  form.canonical.clear();
  append_canonical_form(form.canonical, form.thought, clear);
  if (is_identity(form.thought) || form.thought.type == thought::kCheckpointType) {
    WEFT_TRY_VALUE(auto content, parse_body(clear));
    form.thought.content = std::move(content);
  }
  return {};
}

Result<std::vector<Cid>> Reader::checkpoint_log() {
  return to_cids(database_.query("SELECT id FROM checkpoints ORDER BY seq"));
}

Result<std::vector<Cid>> Reader::leaves(const Cid& checkpoint) {
  WEFT_TRY_VALUE(auto id, names_.find_id(checkpoint));
  if (!id) return std::vector<Cid>();
  return leaves_of(*id);
}

Result<std::vector<StoreCheck>> Reader::list_checks(CheckDepth depth) {
  return sql::list_checks(database_, depth);
}

Result<std::vector<StoreFinding>> Reader::run_check(const StoreCheck& check,
                                                    const crypto::Keyring* keyring) {
  Derivation from(database_);
  from.keyring = keyring;
  return sql::run_check(from, check);
}

Result<bool> Reader::has_sums() { return database_.sums().are_complete(); }

Result<FillProgress> Reader::fill_progress() {
  WEFT_TRY_VALUE(const LateState state, late_state(database_));
  return FillProgress{static_cast<std::uint64_t>(state.done),
                      static_cast<std::uint64_t>(state.all)};
}

}  // namespace weft::store::sql

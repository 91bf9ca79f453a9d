// The store piece by piece, for several threads that check it at once. A stretch is a range
// of ids: its names are read first, then its thoughts and connections, which lie in the same
// order; a name that neither of them takes is dangling. Most connections have none: their
// columns say it.
#include <algorithm>

#include "weft/store/body.hpp"
#include "weft/store/sqlite/reader.hpp"
#include "weft/thought/checkpoint.hpp"

namespace weft::store::sqlite {
namespace {

// Some 300 signatures, 15 ms: at the end no thread waits longer than that for the others.
constexpr std::uint64_t kStretchIds = 1024;
// One damaged id, far out, must not make millions of empty pieces.
constexpr std::uint64_t kMaxStretches = 1 << 16;

struct NamedId {
  Id id = 0;
  Result<Cid> cid;
  bool taken = false;
};

// Each of `rows` with its name, or none; both are in the order of their ids.
template <class Tell>
Status each_named(Rows rows, std::vector<NamedId>& names, const Inspector& inspector,
                  const Tell& tell) {
  auto name = names.begin();
  while (rows.next()) {
    const Id id = rows.integer(0);
    while (name != names.end() && name->id < id) ++name;
    std::optional<Cid> cid;
    if (name != names.end() && name->id == id) {
      name->taken = true;
      if (!name->cid) continue;  // told already
      cid = *name->cid;
    }
    if (const Status status = tell(rows, cid); !status) {
      inspector.broken(cid.value_or(Cid()), status.error().message);
    }
  }
  return rows.status();
}

}  // namespace

Result<std::vector<Stretch>> Reader::stretches() {
  Rows row = database_.query(
      "SELECT min(first), max(last) FROM ("
      "SELECT (SELECT min(id) FROM names) AS first, (SELECT max(id) FROM names) AS last "
      "UNION ALL SELECT (SELECT min(id) FROM thoughts), (SELECT max(id) FROM thoughts) "
      "UNION ALL SELECT (SELECT min(id) FROM connections), (SELECT max(id) FROM connections))");
  std::vector<Stretch> stretches;
  if (row.next() && row.find_integer(0)) {
    const Id first = row.integer(0), last = row.integer(1);
    // Unsigned, because damaged ids may be any.
    const std::uint64_t span = static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(first);
    const std::uint64_t step = std::max(kStretchIds, span / kMaxStretches + 1);
    for (std::uint64_t at = 0, left = span / step + 1; left > 0; --left, at += step) {
      const Id from = static_cast<Id>(static_cast<std::uint64_t>(first) + at);
      stretches.push_back({from, left == 1 ? last : from + static_cast<Id>(step - 1)});
    }
  }
  if (Status status = row.status(); !status) return fail(std::move(status).error());
  return stretches;
}

Status Reader::inspect(const Stretch& stretch, const Inspector& inspector) {
  // One look for all three tables: else what a commit adds in between would dangle.
  Result<Transaction> transaction = Transaction::begin(database_, Transaction::Kind::deferred);
  if (!transaction) return fail(std::move(transaction).error());
  std::vector<NamedId> names;
  Rows rows = database_.query("SELECT id, cid FROM names WHERE id BETWEEN ? AND ? ORDER BY id",
                              stretch.first, stretch.last);
  while (rows.next()) {
    const NamedId& name = names.emplace_back(rows.integer(0), to_cid(rows.bytes(1)));
    if (name.cid) names_.remember(name.id, *name.cid);
    else inspector.broken(Cid(), name.cid.error().message);
  }
  if (Status status = rows.status(); !status) return status;

  Form form;
  std::string room;
  Status thoughts =
      each_named(database_.query("SELECT * FROM thoughts WHERE id BETWEEN ? AND ? ORDER BY id",
                                 stretch.first, stretch.last),
                 names, inspector, [&](const Rows& row, const std::optional<Cid>& cid) -> Status {
                   if (!cid) return fail(ErrorCode::corrupt, "a stored name is damaged");
                   Status status = read_form(row, *cid, room, form);
                   if (status) inspector.thought(form);
                   return status;
                 });
  if (!thoughts) return thoughts;
  Status connections =
      each_named(database_.query("SELECT * FROM connections WHERE id BETWEEN ? AND ? ORDER BY id",
                                 stretch.first, stretch.last),
                 names, inspector, [&](const Rows& row, const std::optional<Cid>& cid) -> Status {
                   Result<thought::Connection> connection = to_connection(row, WithPaths::no);
                   if (!connection) return fail(std::move(connection).error());
                   inspector.connection(cid, *connection);
                   return {};
                 });
  if (!connections) return connections;
  for (const NamedId& name : names) {
    if (!name.taken && name.cid) inspector.dangling(*name.cid);
  }
  return {};
}

// `room` and what `form` has allocated are used again from row to row.
Status Reader::read_form(const Rows& row, const Cid& cid, std::string& room, Form& form) {
  Result<thought::Thought> thought = to_bare_thought(row, cid, WithPaths::no);
  if (!thought) return fail(std::move(thought).error());
  Result<std::string_view> clear = to_text(row, room);
  if (!clear) return fail(std::move(clear).error());
  form.thought = *std::move(thought);
  form.canonical.clear();
  append_canonical_form(form.canonical, form.thought, *clear);
  if (is_identity(form.thought) || form.thought.type == thought::kCheckpointType) {
    Result<json::object> content = parse_body(*clear);
    if (!content) return fail(std::move(content).error());
    form.thought.content = *std::move(content);
  }
  return {};
}

}  // namespace weft::store::sqlite

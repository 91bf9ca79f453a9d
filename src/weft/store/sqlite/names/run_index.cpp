#include "weft/store/sqlite/names/run_index.hpp"

#include <algorithm>
#include <limits>

#include "weft/base/try.hpp"
#include "weft/store/sql/derived/finding_list.hpp"
#include "weft/store/sqlite/names/name_runs.hpp"

namespace weft::store::sql {
namespace {

std::unexpected<Error> damaged() {
  return fail(ErrorCode::corrupt, "a page of the name index is damaged");
}

}  // namespace

std::string pack_names(std::span<const Name> names, Hash first) {
  std::string page;
  if (names.empty()) return page;
  const Id least = std::ranges::min_element(names, {}, &Name::id)->id;
  append_varint(page, static_cast<std::uint64_t>(least));
  Hash before = first;
  for (const Name& name : names) {
    append_varint(page, name.hash - before);
    append_varint(page, static_cast<std::uint64_t>(name.id - least));
    before = name.hash;
  }
  return page;
}

namespace {

// Calls `visit` for each name of a page, while it is true.
template <class Visit>
Status each_on_page(std::string_view page, Hash first, const Visit& visit) {
  if (page.empty()) return {};
  constexpr auto kMostId = static_cast<std::uint64_t>(std::numeric_limits<Id>::max());
  const auto least = take_varint(page);
  if (!least || *least > kMostId) return damaged();
  std::uint64_t hash = first;
  while (!page.empty()) {
    const auto step = take_varint(page);
    const auto id = take_varint(page);
    if (!step || !id || *step > std::numeric_limits<Hash>::max() || *id > kMostId - *least) {
      return damaged();
    }
    hash += *step;
    if (hash > std::numeric_limits<Hash>::max()) return damaged();
    if (!visit(Name{static_cast<Hash>(hash), static_cast<Id>(*least + *id)})) break;
  }
  return {};
}

}  // namespace

Result<std::vector<Name>> unpack_names(std::string_view page, Hash first) {
  std::vector<Name> names;
  Status status = each_on_page(page, first, [&](const Name& name) {
    names.push_back(name);
    return true;
  });
  if (!status) return fail(std::move(status).error());
  return names;
}

Result<std::vector<Id>> RunIndex::find(Hash hash) {
  Rows rows = database_.query(
      "SELECT id, name_pages.names FROM name_runs JOIN name_pages ON id = "
      "(SELECT max(id) FROM name_pages WHERE id BETWEEN run << 32 AND (run << 32 | ?1))",
      std::int64_t{hash});
  std::vector<Id> found;
  while (rows.next()) {
    Status status = each_on_page(rows.bytes(1), first_of(rows.integer(0)), [&](const Name& name) {
      if (name.hash == hash) found.push_back(name.id);
      return name.hash <= hash;
    });
    if (!status) return fail(std::move(status).error());
  }
  WEFT_TRY(rows.status());
  return found;
}

Status RunIndex::add_rows(std::span<const NameRow> rows) {
  for (const NameRow& row : rows) {
    WEFT_TRY(database_.run("INSERT INTO names (id, cid) VALUES (?, ?)", row.id,
                           blob(row.cid->digest())));
  }
  return {};
}

Status RunIndex::remove(const Name& name) {
  std::vector<std::int64_t> runs;
  Rows rows = database_.query("SELECT run FROM name_runs");
  while (rows.next()) runs.push_back(rows.integer(0));
  WEFT_TRY(rows.status());
  for (const std::int64_t run : runs) {
    Rows page = database_.query(
        "SELECT id, names FROM name_pages WHERE id BETWEEN ?1 << 32 AND (?1 << 32 | ?2) "
        "ORDER BY id DESC LIMIT 1",
        run, std::int64_t{name.hash});
    if (!page.next()) {
      WEFT_TRY(page.status());
      continue;
    }
    const std::int64_t id = page.integer(0);
    WEFT_TRY_VALUE(auto names, unpack_names(page.bytes(1), first_of(id)));
    if (std::erase(names, name) == 0) continue;
    const std::string packed = pack_names(names, first_of(id));
    Status status = database_.run("UPDATE name_pages SET names = ? WHERE id = ?", Blob{packed}, id);
    if (status) {
      status = database_.run("UPDATE name_runs SET names = names - 1 WHERE run = ?", run);
    }
    if (!status) return status;
  }
  return {};
}

Result<std::vector<Name>> RunIndex::find_all(std::span<const Hash> hashes) {
  std::vector<Name> found;
  for (const Hash hash : hashes) {
    WEFT_TRY_VALUE(const auto ids, find(hash));
    for (const Id id : ids) found.push_back({hash, id});
  }
  return found;
}

Status RunIndex::each_from(Hash from, const std::function<bool(Name)>& visit) {
  WEFT_TRY_VALUE(auto runs, read_runs(database_));
  RunMerge merge(database_);
  for (const NameRun& run : runs) {
    WEFT_TRY(merge.add(run.number, from));
  }
  return merge.each(visit);
}

Status RunIndex::each(const std::function<void(Name)>& visit) {
  Rows rows = database_.query("SELECT id, names FROM name_pages");
  while (rows.next()) {
    Status status = each_on_page(rows.bytes(1), first_of(rows.integer(0)), [&](const Name& name) {
      visit(name);
      return true;
    });
    if (!status) return status;
  }
  return rows.status();
}

Status RunIndex::add(std::span<const Name> names) {
  if (names.empty()) return {};
  WEFT_TRY_VALUE(auto runs, read_runs(database_));
  const std::size_t merged = runs_to_merge(runs, names.size());
  const std::int64_t number = runs.empty() ? 1 : runs.front().number + 1;
  RunMerge merge(database_);
  for (const NameRun& run : std::span(runs).first(merged)) {
    WEFT_TRY(merge.add(run.number, 0));
  }
  merge.add(names);
  RunWriter writer(database_, number);
  Status written;
  Status status = merge.each([&](Name name) {
    written = writer.add(name);
    return written.has_value();
  });
  if (status) status = std::move(written);
  if (status) status = writer.finish();
  for (const NameRun& run : std::span(runs).first(merged)) {
    if (status) status = remove_run(database_, run.number);
  }
  return status;
}

Status RunIndex::remove_all() {
  WEFT_TRY(database_.run("DELETE FROM name_pages"));
  return database_.run("DELETE FROM name_runs");
}

// The order of pages and names, without which names are not found.
Status RunIndex::check(const std::function<void(Name)>& visit, FindingList& out) {
  Rows rows = database_.query(
      "SELECT id, name_pages.names, name_runs.names FROM name_pages LEFT JOIN name_runs "
      "ON run = id >> 32 ORDER BY id");
  constexpr std::string_view kPages = "name_pages";
  std::int64_t run = -1, left = 0;  // in this run, by its row
  Hash last = 0;
  const auto end_run = [&] {
    if (left != 0) out.add("name_runs", "a run of names has more or fewer names than it says");
  };
  while (rows.next()) {
    const std::int64_t page = rows.integer(0);
    if (page >> 32 != run) {
      end_run();
      run = page >> 32;
      last = 0;
      if (!rows.find_integer(2)) out.add(kPages, "a page of names belongs to no run");
      left = rows.find_integer(2).value_or(0);
    }
    const Result<std::vector<Name>> names = unpack_names(rows.bytes(1), first_of(page));
    if (!names) {
      out.add(kPages, names.error().message);
      continue;
    }
    const bool in_order =
        std::ranges::is_sorted(*names) && (names->empty() || names->front().hash >= last);
    if (!in_order) out.add(kPages, "the names of a page are not in order");
    if (!names->empty()) last = names->back().hash;
    left -= static_cast<std::int64_t>(names->size());
    for (const Name& name : *names) visit(name);
  }
  end_run();
  return rows.status();
}

// Their hashes were signed, the top bit flipped.
Status gather_names(const PlainDatabase& database) {
  RunWriter writer(database, 1);
  Rows rows = database.query(
      "SELECT hash + 0x80000000, id FROM (SELECT hash, id FROM name_index UNION ALL "
      "SELECT hash, id FROM name_recent) ORDER BY hash, id");
  while (rows.next()) {
    WEFT_TRY(writer.add({static_cast<Hash>(rows.integer(0)), rows.integer(1)}));
  }
  WEFT_TRY(rows.status());
  return writer.finish();
}

}  // namespace weft::store::sql

#include "weft/store/sqlite/names/name_index.hpp"

#include <algorithm>
#include <limits>

#include "weft/base/try.hpp"
#include "weft/store/sqlite/names/name_runs.hpp"

namespace weft::store::sql {
namespace {

std::unexpected<Error> damaged() {
  return fail(ErrorCode::corrupt, "a page of the name index is damaged");
}

}  // namespace

Hash hash_of(const Cid& cid) {
  Hash hash = 0;
  for (std::size_t i = 0; i < sizeof hash; ++i) hash = hash << 8 | cid.digest()[i];
  return hash;
}

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

Result<std::vector<Id>> find_names(const Database& database, Hash hash) {
  Rows rows = database.query(
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

Status remove_name(const Database& database, const Name& name) {
  std::vector<std::int64_t> runs;
  Rows rows = database.query("SELECT run FROM name_runs");
  while (rows.next()) runs.push_back(rows.integer(0));
  WEFT_TRY(rows.status());
  for (const std::int64_t run : runs) {
    Rows page = database.query(
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
    Status status = database.run("UPDATE name_pages SET names = ? WHERE id = ?", Blob{packed}, id);
    if (status) {
      status = database.run("UPDATE name_runs SET names = names - 1 WHERE run = ?", run);
    }
    if (!status) return status;
  }
  return {};
}

Status each_name(const Database& database, Hash from, const std::function<bool(Name)>& visit) {
  WEFT_TRY_VALUE(auto runs, read_runs(database));
  RunMerge merge(database);
  for (const NameRun& run : runs) {
    WEFT_TRY(merge.add(run.number, from));
  }
  return merge.each(visit);
}

Status each_name(const Database& database, const std::function<void(Name)>& visit) {
  Rows rows = database.query("SELECT id, names FROM name_pages");
  while (rows.next()) {
    Status status = each_on_page(rows.bytes(1), first_of(rows.integer(0)), [&](const Name& name) {
      visit(name);
      return true;
    });
    if (!status) return status;
  }
  return rows.status();
}

Status add_names(const Database& database, std::span<const Name> names) {
  if (names.empty()) return {};
  WEFT_TRY_VALUE(auto runs, read_runs(database));
  const std::size_t merged = runs_to_merge(runs, names.size());
  const std::int64_t number = runs.empty() ? 1 : runs.front().number + 1;
  RunMerge merge(database);
  for (const NameRun& run : std::span(runs).first(merged)) {
    WEFT_TRY(merge.add(run.number, 0));
  }
  merge.add(names);
  RunWriter writer(database, number);
  Status written;
  Status status = merge.each([&](Name name) {
    written = writer.add(name);
    return written.has_value();
  });
  if (status) status = std::move(written);
  if (status) status = writer.finish();
  for (const NameRun& run : std::span(runs).first(merged)) {
    if (status) status = remove_run(database, run.number);
  }
  return status;
}

// Their hashes were signed, the top bit flipped.
Status gather_names(const Database& database) {
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

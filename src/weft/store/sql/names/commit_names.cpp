#include "weft/store/sql/names/commit_names.hpp"

#include <algorithm>
#include <bit>
#include <cassert>

#include "weft/base/try.hpp"
#include "weft/store/sql/edges/edges.hpp"
#include "weft/store/sql/names/names.hpp"

namespace weft::store::sql {

void CommitNames::reserve(std::size_t count) {
  entries_.reserve(count);
  given_.reserve(count);
  slots_.assign(std::bit_ceil(std::max<std::size_t>(count * 2, 64)), 0);
}

std::uint32_t& CommitNames::slot(const Cid& cid) {
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = std::hash<Cid>()(cid) & mask;
  while (slots_[at] != 0 && entries_[slots_[at] - 1].cid != cid) at = (at + 1) & mask;
  return slots_[at];
}

void CommitNames::grow() {
  slots_.assign(std::max<std::size_t>(slots_.size() * 2, 64), 0);
  for (std::uint32_t i = 0; i < entries_.size(); ++i) slot(entries_[i].cid) = i + 1;
}

std::uint32_t CommitNames::enter_index(const Cid& cid) {
  if (entries_.size() * 2 >= slots_.size()) grow();
  std::uint32_t& found = slot(cid);
  if (found == 0) {
    entries_.push_back({.cid = cid});
    found = static_cast<std::uint32_t>(entries_.size());
  }
  return found - 1;
}

CommitNames::Entry* CommitNames::find(const Cid& cid) {
  const std::uint32_t found = slots_.empty() ? 0 : slot(cid);
  return found == 0 ? nullptr : &entries_[found - 1];
}

CommitNames::Entry& CommitNames::at(const Cid& cid) {
  const std::uint32_t found = slot(cid);
  assert(found != 0);
  return entries_[found - 1];
}

// In the order of the index.
std::vector<CommitNames::Hashed> CommitNames::by_hash(std::span<const std::uint32_t> which) const {
  std::vector<Hashed> order;
  order.reserve(which.size());
  for (const std::uint32_t i : which) order.push_back({hash_of(entries_[i].cid), i});
  std::ranges::sort(order, {}, [](const Hashed& one) { return std::pair(one.hash, one.entry); });
  return order;
}

Status CommitNames::look_up(const Database& database, const Words& words, NameFilter& filter) {
  Rows rows = database.query(
      "SELECT (SELECT max(id) FROM names), (SELECT last FROM runs ORDER BY first DESC LIMIT 1)");
  Id last = 0;
  if (rows.next()) last = std::max({last, rows.integer(0), rows.integer(1)});
  WEFT_TRY(rows.status());
  WEFT_TRY_VALUE(const auto pages, database.edges().pages());
  if (pages) last = std::max(last, pages->last);
  next_ = last + 1;
  WEFT_TRY(filter.prepare(database, entries_.size(), next_ - 1));
  std::vector<std::uint32_t> asked;
  for (std::uint32_t i = 0; i < entries_.size(); ++i) {
    if (!filter.rules_out(hash_of(entries_[i].cid))) asked.push_back(i);
  }
  const std::vector<Hashed> order = by_hash(asked);
  std::vector<Hash> hashes;
  hashes.reserve(order.size());
  for (const Hashed& next : order) {
    if (hashes.empty() || hashes.back() != next.hash) hashes.push_back(next.hash);
  }
  WEFT_TRY_VALUE(auto names, database.name_index().find_all(hashes));
  std::ranges::sort(names);
  for (const Hashed& next : order) {
    Entry& entry = entries_[next.entry];
    const auto candidates = std::ranges::equal_range(names, next.hash, {}, &Name::hash);
    if (candidates.empty()) continue;
    WEFT_TRY_VALUE(auto found, find_name_among(database, words, entry.cid, candidates));
    if (!found) continue;
    entry.id = found->id;
    entry.is_edge = entry.is_edge || found->is_nameless;
  }
  return {};
}

void CommitNames::give_id(Entry& entry, std::uint32_t owner) {
  entry.id = next_++;
  entry.owner = owner;
  given_.push_back(static_cast<std::uint32_t>(&entry - entries_.data()));
}

Status CommitNames::write(const Database& database, NameFilter& filter) {
  for (Entry& entry : entries_) {
    if (entry.id == 0) give_id(entry, kNobody);
  }
  std::vector<NameRow> rows;
  rows.reserve(given_.size());
  for (const std::uint32_t i : given_) {
    if (!entries_[i].is_nameless) rows.push_back({entries_[i].id, &entries_[i].cid});
  }
  WEFT_TRY(database.name_index().add_rows(rows));
  std::vector<Name> names;
  names.reserve(given_.size());
  for (const Hashed& next : by_hash(given_)) names.push_back({next.hash, entries_[next.entry].id});
  filter.add(names);
  return database.name_index().add(names);
}

}  // namespace weft::store::sql

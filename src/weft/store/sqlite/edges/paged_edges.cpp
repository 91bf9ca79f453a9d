#include "weft/store/sqlite/edges/paged_edges.hpp"

#include <algorithm>
#include <iterator>

#include "weft/base/try.hpp"

namespace weft::store::sql {
namespace {

// Finding one connection reads a page: 128 take 2 µs. Twice as many would save 1 % of the store.
constexpr std::size_t kPageEdges = 128;
// An end is near if its id is not further below the page than this. What speaks of ids that many
// speak of (who uses a tool leads to its identity) is mostly far from them: else all that stands
// beside such an id would be looked for on every page.
constexpr std::uint64_t kNear = 4096;
constexpr int kGroupBits = 6;

// Below 0, where ids are not. A hint only: the page itself tells what is on it.
Id group_of(Id id) { return ~(id >> kGroupBits); }

bool is_near(Id page, Id end) {
  const auto below = static_cast<std::uint64_t>(page) - static_cast<std::uint64_t>(end);
  return end >= page || below <= kNear;
}

}  // namespace

std::vector<Id> end_keys(Id page, std::span<const Edge> edges) {
  std::vector<Id> keys;
  keys.reserve(2 * edges.size());
  for (const Edge& edge : edges) {
    for (const Id end : {edge.from, edge.to}) {
      keys.push_back(is_near(page, end) ? group_of(end) : end);
    }
  }
  std::ranges::sort(keys);
  const auto twice = std::ranges::unique(keys);
  keys.erase(twice.begin(), twice.end());
  return keys;
}

PagedEdges::PagedEdges(sqlite3* database)
    : at_or_before_(database,
                    "SELECT first FROM edge_pages WHERE first <= ? ORDER BY first DESC LIMIT 1"),
      at_or_after_(database,
                   "SELECT first FROM edge_pages WHERE first >= ? ORDER BY first LIMIT 1"),
      limits_(database,
              "SELECT (SELECT min(first) FROM edge_pages), "
              "(SELECT max(first) FROM edge_pages)"),
      page_(database, "SELECT edges FROM edge_pages WHERE first = ?"),
      write_(database, "INSERT OR REPLACE INTO edge_pages (first, edges) VALUES (?, ?)"),
      remove_(database, "DELETE FROM edge_pages WHERE first = ?"),
      next_with_(database,
                 "SELECT page FROM edge_ends WHERE end = ? AND page BETWEEN ? AND ? "
                 "ORDER BY page LIMIT 1"),
      last_with_(database,
                 "SELECT page FROM edge_ends WHERE end = ? AND page BETWEEN ? AND ? "
                 "ORDER BY page DESC LIMIT 1"),
      between_(database,
               "SELECT page FROM edge_ends WHERE end BETWEEN ?1 AND ?2 UNION "
               "SELECT page FROM edge_ends WHERE end BETWEEN ?3 AND ?4 ORDER BY page"),
      add_end_(database, "INSERT OR IGNORE INTO edge_ends (end, page) VALUES (?, ?)"),
      remove_end_(database, "DELETE FROM edge_ends WHERE end = ? AND page = ?") {}

Result<std::optional<Id>> PagedEdges::find_page(sqlite::Statement& statement, Id id) {
  Rows rows = statement.query(id);
  std::optional<Id> page;
  if (rows.next()) page = rows.integer(0);
  WEFT_TRY(rows.status());
  return page;
}

Result<std::optional<Id>> PagedEdges::next_page_with(Id end, Id low, Id high, bool descending) {
  std::optional<Id> page;
  for (const Id key : {end, group_of(end)}) {
    Rows rows = (descending ? last_with_ : next_with_).query(key, low, high);
    if (rows.next()) {
      const Id found = rows.integer(0);
      if (!page || (descending ? found > *page : found < *page)) page = found;
    }
    WEFT_TRY(rows.status());
  }
  return page;
}

Result<std::optional<Id>> PagedEdges::page_at_or_before(Id id) {
  return find_page(at_or_before_, id);
}

Result<std::optional<Id>> PagedEdges::page_at_or_after(Id id) {
  return find_page(at_or_after_, id);
}

Result<std::optional<Edges::Pages>> PagedEdges::pages() {
  Rows rows = limits_.query();
  std::optional<Pages> pages;
  if (rows.next() && rows.find_integer(0)) pages = {rows.integer(0), rows.integer(1)};
  WEFT_TRY(rows.status());
  return pages;
}

Result<std::vector<Id>> PagedEdges::pages_between(Id low, Id high) {
  // Groups have the order of their ids turned round.
  Rows rows = between_.query(low, high, group_of(high), group_of(low));
  std::vector<Id> pages;
  while (rows.next()) pages.push_back(rows.integer(0));
  WEFT_TRY(rows.status());
  return pages;
}

Result<std::span<const Edge>> PagedEdges::read(Id page) {
  Rows rows = page_.query(page);
  if (!rows.next()) {
    WEFT_TRY(rows.status());
    return std::span<const Edge>();
  }
  const std::string_view bytes = rows.bytes(0);
  Unpacked& kept = unpacked_[static_cast<std::uint64_t>(page) % kKept];
  if (kept.page != page || kept.bytes != bytes) {
    kept.bytes.clear();  // no page is empty: if this one cannot be read, nothing is kept
    WEFT_TRY(unpack_edges(bytes, page, kept.edges));
    kept.page = page;
    kept.bytes = bytes;
  }
  return kept.edges;
}

Status PagedEdges::write(Id page, std::span<const Edge> edges, std::span<const Id> keys_before) {
  const std::vector<Id> keys = end_keys(page, edges);
  std::vector<Id> added, gone;
  std::ranges::set_difference(keys, keys_before, std::back_inserter(added));
  std::ranges::set_difference(keys_before, keys, std::back_inserter(gone));
  Status status =
      edges.empty() ? remove_.run(page) : write_.run(page, Blob{pack_edges(edges, page)});
  for (const Id key : added) {
    if (status) status = add_end_.run(key, page);
  }
  for (const Id key : gone) {
    if (status) status = remove_end_.run(key, page);
  }
  return status;
}

// Nearly always behind all that is there. An id may be older where something spoke of a connection
// before it came: then it may fall between two that share a page.
Status PagedEdges::add(std::span<const Edge> edges) {
  while (!edges.empty()) {
    const Id id = edges.front().id;
    WEFT_TRY_VALUE(auto before, find_page(at_or_before_, id));
    Result<std::span<const Edge>> on_it = std::span<const Edge>();
    if (before) on_it = read(*before);
    // Behind a damaged page all goes on.
    if (!on_it && on_it.error().code != ErrorCode::corrupt) return fail(std::move(on_it).error());
    std::size_t count = 0;
    Status status;
    if (on_it && !on_it->empty() && on_it->back().id > id) {
      std::vector<Edge> there(on_it->begin(), on_it->end());
      const std::vector<Id> keys = end_keys(*before, there);
      const Id last = there.back().id;
      while (count < edges.size() && edges[count].id < last) there.push_back(edges[count++]);
      std::ranges::sort(there, {}, &Edge::id);
      status = write(*before, there, keys);
    } else if (before == id) {
      return fail(ErrorCode::corrupt, "a damaged page of connections lies where one belongs");
    } else {
      WEFT_TRY_VALUE(auto after, find_page(at_or_after_, id));
      while (count < std::min(edges.size(), kPageEdges) && (!after || edges[count].id < *after)) {
        ++count;
      }
      status = write(id, edges.first(count), {});
    }
    if (!status) return status;
    edges = edges.subspan(count);
  }
  return {};
}

template <class Change>
Status PagedEdges::rewrite(Id page, const Change& change) {
  const Result<std::span<const Edge>> there = read(page);
  if (!there) return fail(Error(there.error()));
  std::vector<Edge> edges(there->begin(), there->end());
  const std::vector<Id> keys = end_keys(page, edges);
  change(edges);
  return write(page, edges, keys);
}

Status PagedEdges::change(const Edge& edge) {
  WEFT_TRY_VALUE(auto page, find_page(at_or_before_, edge.id));
  if (!page) return {};
  return rewrite(*page, [&edge](std::vector<Edge>& edges) {
    const auto found = std::ranges::find(edges, edge.id, &Edge::id);
    if (found != edges.end()) *found = edge;
  });
}

Status PagedEdges::remove(std::span<const Id> ids) {
  while (!ids.empty()) {
    WEFT_TRY_VALUE(auto page, find_page(at_or_before_, ids.front()));
    constexpr Id kMost = std::numeric_limits<Id>::max();
    WEFT_TRY_VALUE(auto next, find_page(at_or_after_, std::min(ids.front(), kMost - 1) + 1));
    std::size_t count = 1;
    while (count < ids.size() && (!next || ids[count] < *next)) ++count;
    const std::span<const Id> gone = ids.first(count);
    ids = ids.subspan(count);
    if (!page) continue;
    Status status = rewrite(*page, [gone](std::vector<Edge>& edges) {
      std::erase_if(edges,
                    [gone](const Edge& edge) { return std::ranges::binary_search(gone, edge.id); });
    });
    if (!status) return status;
  }
  return {};
}

}  // namespace weft::store::sql

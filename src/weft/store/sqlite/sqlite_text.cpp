#include "weft/store/sqlite/sqlite_text.hpp"

#include <limits>
#include <map>
#include <string>
#include <utility>

#include "weft/base/try.hpp"
#include "weft/store/sqlite/fts5/carry_over.hpp"

namespace weft::store::sql {

Result<SqliteText::Answering> SqliteText::answering(Index index) {
  bool& is_carried_over = is_carried_over_[static_cast<std::size_t>(index)];
  if (is_carried_over) return Answering{};
  Rows rows = database_.query("SELECT 1 FROM sqlite_master WHERE name = 'index_runs'");
  const bool has_runs = rows.next();
  WEFT_TRY(rows.status());
  if (!has_runs) return Answering{.runs = false, .fts5 = std::numeric_limits<Document>::max()};
  WEFT_TRY_VALUE(const auto last, last_in_fts5(database_, index));
  is_carried_over = !last;
  return Answering{.fts5 = last};
}

Result<std::vector<Posting>> SqliteText::find(Index index, const Sought& sought) {
  WEFT_TRY_VALUE(const Answering who, answering(index));
  std::vector<Posting> found;
  if (who.fts5) {
    WEFT_TRY_VALUE(found, fts5_.find(index, sought));
  }
  if (!who.runs) return found;
  WEFT_TRY_VALUE(auto later, runs_.find(index, sought));
  if (found.empty()) return later;
  found.insert(found.end(), later.begin(), later.end());
  return found;
}

Status SqliteText::each_clear_term(std::string_view prefix, const Postings::VisitTerm& visit) {
  WEFT_TRY_VALUE(const Answering who, answering(Index::clear));
  if (!who.fts5) return runs_.each_clear_term(prefix, visit);
  if (!who.runs) return fts5_.each_clear_term(prefix, visit);
  std::map<std::string, std::uint64_t, std::less<>> terms;
  const auto add = [&terms](std::string_view term, std::uint64_t documents) {
    terms[std::string(term)] += documents;
    return true;
  };
  WEFT_TRY(fts5_.each_clear_term(prefix, add));
  WEFT_TRY(runs_.each_clear_term(prefix, add));
  for (const auto& [term, documents] : terms) {
    if (!visit(term, documents)) break;
  }
  return {};
}

// Of what FTS5 has, FTS5 says whether it is whole, as far as it can: it needs to write for that.
Result<Document> SqliteText::check(Index index, std::vector<bool>& having) {
  WEFT_TRY_VALUE(const Answering who, answering(index));
  if (!who.fts5) return runs_.check(index, having);
  const Status whole = fts5_.check(index);
  if (!whole && whole.error().code == ErrorCode::corrupt) return fail(Error(whole.error()));
  if (who.runs) WEFT_TRY(runs_.check(index, having));
  return *who.fts5;
}

void SqliteText::discard() {
  runs_.discard();
  has_removed_ = false;
  // What a transaction found out may have been undone with it.
  is_carried_over_ = {};
  is_upgraded_ = false;
}

Status SqliteText::remove(Index index, Document document) {
  has_removed_ = true;
  return runs_.remove(index, document);
}

Status SqliteText::compact() {
  if (!std::exchange(has_removed_, false)) return {};
  const auto never = [] { return false; };
  while (true) {
    WEFT_TRY_VALUE(const bool is_more_left, upgrade(never));
    if (!is_more_left) break;
  }
  return runs_.compact();
}

Status SqliteText::clear() {
  WEFT_TRY(runs_.clear());
  return remove_fts5(database_);
}

Result<bool> SqliteText::upgrade(const std::function<bool()>& is_over) {
  if (is_upgraded_) return false;
  WEFT_TRY_VALUE(const bool is_more_left, carry_over(database_, is_over));
  is_upgraded_ = !is_more_left;
  return is_more_left;
}

}  // namespace weft::store::sql

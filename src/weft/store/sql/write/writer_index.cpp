// The search index: adds what a commit brings, removes what a forget deletes, rebuilds it.
#include <algorithm>
#include <array>
#include <unordered_map>
#include <unordered_set>

#include "weft/base/try.hpp"
#include "weft/search/score.hpp"
#include "weft/store/inverted/inverted_index.hpp"
#include "weft/store/sql/document_table.hpp"
#include "weft/store/sql/full_text.hpp"
#include "weft/store/sql/read/turn_locator.hpp"
#include "weft/store/sql/write/imported_turns.hpp"
#include "weft/store/sql/write/writer.hpp"

namespace weft::store::sql {
namespace {

const LayerTerms& terms_in(const ThoughtTerms& terms, Index index) {
  switch (index) {
    case Index::metadata: return terms.metadata;
    case Index::content: return terms.content;
    case Index::clear: break;
  }
  return terms.clear;
}

std::array<std::uint16_t, 3> lengths_of(const ThoughtTerms& terms) {
  std::array<std::uint16_t, 3> out{};
  for (const Index index : kIndexes) {
    out[static_cast<std::size_t>(index)] =
        static_cast<std::uint16_t>(std::min(terms_in(terms, index).length, search::kMaxLength));
  }
  return out;
}

Status add_document(FullText& full_text, Document document, const ThoughtTerms& terms) {
  for (const Index index : kIndexes) {
    const std::string& packed = terms_in(terms, index).packed;
    if (packed.empty()) continue;
    WEFT_TRY(full_text.add(index, document, packed));
  }
  return {};
}

// Notes the turns that this commit adds to a conversation. Turns and the edges that contain them
// stand in an addition in the same order, and so do the ids of these edges.
void note_turns(const Addition& addition, std::uint32_t number, CommitNames& commit_names,
                TurnLocator& places) {
  auto at = addition.thoughts.begin();
  Id before = 0;
  for (const Addition::Edge& edge : addition.edges) {
    const thought::Connection& connection = *edge.connection;
    if (connection.relation != "contains" || connection.from != addition.conversation) continue;
    const CommitNames::Entry& turn = commit_names.at(connection.to);
    const auto found = std::find_if(at, addition.thoughts.end(), [&](const thought::Thought* one) {
      return one->cid == connection.to;
    });
    const bool is_new = found != addition.thoughts.end() && turn.owner == number &&
                        commit_names.at(edge.name).owner == number;
    if (!is_new) return;  // another order: the rest is read from the store
    const json::object& content = (*found)->content;
    Id follows = before;
    if (const auto parent = find_string(content, "parent")) {
      const Result<Cid> cid = Cid::parse(*parent);
      const CommitNames::Entry* entry = cid ? commit_names.find(*cid) : nullptr;
      follows = entry == nullptr ? 0 : entry->id;
    }
    places.note(turn.id, find_string(content, "role").value_or(""), follows);
    before = turn.id;
    at = found + 1;
  }
}

// The blocks of an addition and their turns, from its own edges.
std::unordered_map<Id, Id> turns_in(const Addition& addition, CommitNames& commit_names) {
  std::unordered_map<Id, Id> turns;
  turns.reserve(addition.edges.size() / 2);
  for (const Addition::Edge& edge : addition.edges) {
    const thought::Connection& connection = *edge.connection;
    if (connection.relation != "contains" || connection.from == addition.conversation) continue;
    turns.emplace(commit_names.id(connection.to), commit_names.id(connection.from));
  }
  return turns;
}

}  // namespace

// Rows are written: every turn that they speak of is there.
Status RowWriter::index_new(std::span<const Addition> additions, Job& job) {
  if (job.documents.empty()) return {};
  TurnLocator places(database_, words_);
  std::vector<DocumentRow> rows;
  rows.reserve(job.documents.size());
  std::unordered_map<Id, Id> turns;
  for (const NewDocument& added : job.documents) {
    if (added.addition != job.indexed_addition) {
      job.indexed_addition = added.addition;
      job.indexed_turn = 0;
      turns.clear();
      if (added.addition < additions.size()) {
        turns = turns_in(additions[added.addition], job.commit_names);
        if (job.from == From::weaving) {
          note_turns(additions[added.addition], added.addition, job.commit_names, places);
        }
      }
    }
    const auto found = turns.find(added.id);
    Id turn = found == turns.end() ? 0 : found->second;
    if (turn == 0) {
      std::optional<Id> placed;
      if (job.turns != nullptr) placed = job.turns->find(added.id);
      WEFT_TRY_VALUE(auto looked_up, placed ? Result<Id>(*placed) : places.turn_of(added.id));
      // Summaries and citations have no place of their own: they come with their block.
      turn = looked_up != 0 ? looked_up : job.indexed_turn;
    }
    WEFT_TRY_VALUE(auto place, places.place_of(turn));
    WEFT_TRY_VALUE(auto type, words_.id(added.thought->type));
    rows.push_back({.thought = added.id,
                    .turn = turn,
                    .exchange = place.exchange,
                    .role = place.role,
                    .type = type,
                    .time = added.thought->created_at,
                    .lengths = lengths_of(*added.terms)});
    job.indexed_turn = turn;
  }
  DocumentTable documents(database_);
  WEFT_TRY(documents.note_keys(job.index_keys));
  WEFT_TRY_VALUE(auto first, documents.append(rows));
  KeyNotes keys(documents);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto document = static_cast<Document>(first + i);
    WEFT_TRY(add_document(database_.full_text(), document, *job.documents[i].terms));
    WEFT_TRY(keys.add(job.documents[i].thought->layers, *job.documents[i].terms));
  }
  return database_.full_text().flush();
}

// A damaged index keeps nothing from being forgotten: it is rebuilt without it.
Status RowWriter::unindex(const std::vector<Id>& thoughts, const Indexer& indexer,
                          const ReadThoughts& read) {
  WEFT_TRY_VALUE(auto cleared, DocumentTable(database_).clear(thoughts));
  if (cleared.empty()) return {};
  for (const NumberedRow& gone : cleared) {
    for (const Index index : kIndexes) {
      WEFT_TRY(database_.full_text().remove(index, gone.document));
    }
  }
  const Status compacted = database_.full_text().compact();
  if (compacted || compacted.error().code != ErrorCode::corrupt) return compacted;
  return index_all(indexer, read, {thoughts.begin(), thoughts.end()}, {});
}

Status RowWriter::index_all(const Indexer& indexer, const ReadThoughts& read,
                            const std::unordered_set<Id>& without,
                            const std::function<void(std::uint64_t)>& progress) {
  DocumentTable documents(database_);
  WEFT_TRY_VALUE(auto state, documents.index_state());
  Status status = database_.full_text().clear();
  if (status) status = documents.clear_all();
  if (status) status = documents.note_keys(keys_of(indexer));
  if (status) {
    status = documents.set_index_state({.epoch = state.epoch + 1});
  }
  if (!status) return status;

  TurnLocator places(database_, words_);
  KeyNotes keys(documents);
  std::vector<DocumentRow> rows;
  std::uint64_t done = 0;
  Document next = 1;
  Id before = 0, before_turn = 0;
  const auto flush = [&]() -> Status {
    Result<Document> first = documents.append(rows);
    rows.clear();
    if (!first) return fail(std::move(first).error());
    if (progress) progress(done);
    return {};
  };
  const auto take = [&](Id id, const thought::Thought& thought) -> Status {
    ++done;
    const std::optional<ThoughtTerms> terms = terms_of(thought, indexer);
    if (!terms || without.contains(id)) return {};
    Result<Id> turn = places.turn_of(id);
    if (!turn) return fail(std::move(turn).error());
    if (*turn == 0 && before != 0) {
      WEFT_TRY_VALUE(auto together, places.came_together(before, id));
      if (together) turn = before_turn;
    }
    WEFT_TRY_VALUE(auto place, places.place_of(*turn));
    WEFT_TRY_VALUE(auto type, words_.id(thought.type));
    rows.push_back({.thought = id,
                    .turn = *turn,
                    .exchange = place.exchange,
                    .role = place.role,
                    .type = type,
                    .time = thought.created_at,
                    .lengths = lengths_of(*terms)});
    before = id;
    before_turn = *turn;
    WEFT_TRY(add_document(database_.full_text(), next++, *terms));
    WEFT_TRY(keys.add(thought.layers, *terms));
    return rows.size() < kPageDocuments ? Status() : flush();
  };
  if (status = read(take); !status) return status;
  if (status = flush(); !status) return status;
  WEFT_TRY(database_.full_text().flush());
  WEFT_TRY(sums_.recount("index_"));
  return sums_.recount("search_");
}

Status RowWriter::reindex(const Indexer& indexer, const ReadThoughts& read,
                          const std::function<void(std::uint64_t)>& progress) {
  WEFT_TRY_VALUE(auto transaction, begin());
  WEFT_TRY(index_all(indexer, read, {}, progress));
  return finish(transaction);
}

// Other writers come in between pieces. What is committed stays committed if a merge fails: the
// next one continues it, and a damaged index is reported by whoever searches it.
void RowWriter::merge_index() {
  std::uint64_t left = database_.full_text().take_unmerged();
  while (left > 0) {
    const std::uint64_t piece = std::min(left, InvertedIndex::kMergePiece);
    const Result<bool> is_more_due = merge_piece(piece, Transaction::Kind::immediate);
    if (!is_more_due || !*is_more_due) return;
    left -= piece;
  }
}

Result<bool> RowWriter::merge_piece(std::uint64_t bytes, Transaction::Kind kind) {
  WEFT_TRY_VALUE(auto transaction, begin(kind));
  WEFT_TRY_VALUE(const bool is_more_due, database_.full_text().merge(bytes));
  WEFT_TRY(finish(transaction));
  return is_more_due;
}

}  // namespace weft::store::sql

#include "weft/store/sql/write/batch_additions.hpp"

#include "weft/store/body.hpp"

namespace weft::store::sql {

BatchAdditions::BatchAdditions(const Batch& batch) {
  additions_.reserve(batch.units.size());
  const PreparedUnits* prepared = find_prepared(batch);
  for (std::size_t i = 0; i < batch.units.size(); ++i) {
    const weave::CommitUnit& unit = batch.units[i];
    Addition& addition = additions_.emplace_back(Addition{.conversation = unit.conversation,
                                                          .leaves = unit.leaves,
                                                          .checkpoint = unit.checkpoint,
                                                          .checked = unit.conversation,
                                                          .previous = unit.previous,
                                                          .places = unit.places,
                                                          .marks = unit.marks,
                                                          .waits = unit.waits,
                                                          .joined = unit.joined,
                                                          .met = unit.met,
                                                          .unmarked = unit.unmarked});
    for (std::size_t at = 0; at < unit.thoughts.size(); ++at) {
      addition.thoughts.push_back(&unit.thoughts[at]);
      if (prepared != nullptr) add_prepared(*prepared, i, at);
      else add_unprepared(unit.thoughts[at]);
    }
    for (const thought::Connection& connection : unit.connections) {
      const auto* tree = std::get_if<thought::TreeSignature>(&connection.signature);
      const bool named = tree != nullptr && tree->index < unit.leaves.size();
      addition.edges.push_back(
          {named ? unit.leaves[tree->index] : thought::cid_of(connection), &connection});
    }
  }
}

void BatchAdditions::add_prepared(const PreparedUnits& prepared, std::size_t unit, std::size_t at) {
  Addition& addition = additions_.back();
  const std::optional<ThoughtTerms>& terms = prepared.terms[unit][at];
  addition.bodies.push_back(prepared.bodies[unit][at]);
  addition.terms.push_back(terms ? &*terms : nullptr);
  const std::optional<BlockTally>& tally = prepared.tallies[unit][at];
  addition.tallies.push_back(tally ? &*tally : nullptr);
  addition.statements.push_back(tally ? &prepared.statements[unit][at] : nullptr);
  const std::optional<CallEdits>& call = prepared.calls[unit][at];
  addition.calls.push_back(call ? &*call : nullptr);
  addition.secrets.push_back(&prepared.secrets[unit][at]);
}

void BatchAdditions::add_unprepared(const thought::Thought& thought) {
  Addition& addition = additions_.back();
  addition.bodies.push_back(packed_.emplace_back(pack_ahead(thought)));
  std::optional<ThoughtTerms> terms = terms_of(thought, {});
  addition.terms.push_back(terms ? &terms_.emplace_back(*std::move(terms)) : nullptr);
  addition.tallies.push_back(nullptr);
  addition.statements.push_back(nullptr);
  addition.calls.push_back(nullptr);
  addition.secrets.push_back(nullptr);
}

}  // namespace weft::store::sql

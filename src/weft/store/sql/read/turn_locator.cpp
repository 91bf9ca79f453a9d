#include "weft/store/sql/read/turn_locator.hpp"

#include <array>

#include "weft/base/try.hpp"
#include "weft/store/body.hpp"

namespace weft::store::sql {
namespace {

constexpr std::array<std::string_view, 3> kRoles = {"human", "assistant", "system"};
constexpr std::uint8_t kHuman = 0;
// Turns that no person opened follow each other at most so far; a hostile import may go round
// in circles.
constexpr int kMaxSteps = 64;

std::uint8_t role_of(std::string_view name) {
  for (std::size_t i = 0; i < kRoles.size(); ++i) {
    if (name == kRoles[i]) return static_cast<std::uint8_t>(i);
  }
  return TurnPlace().role;
}

}  // namespace

Result<Id> TurnLocator::contains() {
  if (!contains_) {
    WEFT_TRY_VALUE(auto word, words_.find_id("contains"));
    if (!word) return 0;
    contains_ = *word;
  }
  return *contains_;
}

// Of edges by the turn's creator, as all places.
Result<Id> TurnLocator::turn_of(Id block) {
  Result<Id> relation = contains();
  if (!relation) return relation;
  Rows rows = database_.query(
      "SELECT from_id FROM connections edge JOIN thoughts turn ON turn.id = from_id AND "
      "turn.created_by = edge.created_by WHERE to_id = ? AND relation = ? "
      "ORDER BY edge.id LIMIT 1",
      block, *relation);
  const Id turn = rows.next() ? rows.integer(0) : 0;
  WEFT_TRY(rows.status());
  return turn;
}

Result<bool> TurnLocator::came_together(Id one, Id other) {
  Rows rows = database_.query(
      "SELECT CAST((SELECT max(first) FROM runs WHERE first <= ?1) = "
      "(SELECT max(first) FROM runs WHERE first <= ?2) AS INTEGER)",
      one, other);
  const bool together = rows.next() && rows.integer(0) != 0;
  WEFT_TRY(rows.status());
  return together;
}

// By the order woven: its edge from the conversation, and the one before that.
Result<Id> TurnLocator::turn_before(Id turn) {
  Result<Id> relation = contains();
  if (!relation) return relation;
  Rows rows = database_.query(
      "SELECT (SELECT earlier.to_id FROM connections earlier WHERE earlier.from_id = edge.from_id "
      "AND earlier.relation = ?2 AND earlier.created_by = edge.created_by "
      "AND earlier.id < edge.id ORDER BY earlier.id DESC LIMIT 1) "
      "FROM connections edge JOIN thoughts turn ON turn.id = ?1 AND "
      "turn.created_by = edge.created_by "
      "WHERE edge.to_id = ?1 AND edge.relation = ?2 ORDER BY edge.id LIMIT 1",
      turn, *relation);
  const Id before = rows.next() ? rows.find_integer(0).value_or(0) : 0;
  WEFT_TRY(rows.status());
  return before;
}

Result<TurnLocator::Turn> TurnLocator::read(Id turn) {
  Turn out;
  std::optional<Cid> parent;
  {
    Rows rows = database_.query("SELECT body FROM thoughts WHERE id = ?", turn);
    if (rows.next() && is_packed_turn(rows.bytes(0))) {
      WEFT_TRY_VALUE(auto packed, unpack_turn(rows.bytes(0), turn));
      out.role = packed.role;
      parent = packed.parent;
    } else if (const Result<json::object> content = unpack_body(rows.bytes(0))) {
      out.role = role_of(find_string(*content, "role").value_or(""));
      const Result<Cid> named = Cid::parse(find_string(*content, "parent").value_or(""));
      if (named) parent = *named;
    }
    WEFT_TRY(rows.status());
  }
  if (out.role == kHuman) return out;
  if (parent) {
    WEFT_TRY_VALUE(auto id, find_id(database_, words_, *parent));
    out.before = id.value_or(0);
    return out;
  }
  WEFT_TRY_VALUE(auto before, turn_before(turn));
  out.before = before;
  return out;
}

void TurnLocator::note(Id turn, std::string_view role, Id before) {
  TurnPlace place{.role = role_of(role), .exchange = turn};
  if (place.role != kHuman) {
    const auto known = places_.find(before);
    if (known == places_.end()) return;
    place.exchange = known->second.exchange;
  }
  places_.emplace(turn, place);
}

Result<TurnPlace> TurnLocator::place_of(Id turn) {
  if (turn == 0) return TurnPlace{};
  if (const auto known = places_.find(turn); known != places_.end()) return known->second;
  WEFT_TRY_VALUE(auto first, read(turn));
  TurnPlace place{.role = first.role, .exchange = turn};
  Turn at = first;
  for (int step = 0; step < kMaxSteps && at.role != kHuman && at.before != 0; ++step) {
    const Id before = at.before;
    if (const auto known = places_.find(before); known != places_.end()) {
      place.exchange = known->second.exchange;
      break;
    }
    WEFT_TRY_VALUE(auto next, read(before));
    place.exchange = before;
    at = next;
  }
  places_.emplace(turn, place);
  return place;
}

}  // namespace weft::store::sql

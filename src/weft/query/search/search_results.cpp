#include "weft/query/search/search_results.hpp"

#include <algorithm>

#include "weft/base/try.hpp"
#include "weft/query/ask/facts.hpp"
#include "weft/query/sessions/sessions.hpp"
#include "weft/search/snippet.hpp"
#include "weft/store/searchable.hpp"

namespace weft::query {
namespace {

// Two or three lines of a terminal.
constexpr std::size_t kSnippetCodePoints = 240;

std::uint64_t sequence_in(const thought::Thought& turn) {
  return static_cast<std::uint64_t>(find_int(turn.content, "sequence").value_or(0));
}

}  // namespace

bool SearchResults::is_in_scope(const Cid& conversation) const {
  return !scope_.conversations ||
         std::ranges::find(*scope_.conversations, conversation) != scope_.conversations->end();
}

const store::ThoughtPlace* SearchResults::shown_place(
    const std::vector<store::ThoughtPlace>& places_of) const {
  const auto shown = std::ranges::find_if(places_of, [this](const store::ThoughtPlace& place) {
    return is_in_scope(place.conversation);
  });
  return shown == places_of.end() ? nullptr : &*shown;
}

Result<SearchResults::Named*> SearchResults::named(const Cid& conversation) {
  const auto known = named_.find(conversation);
  if (known != named_.end()) return &known->second;
  WEFT_TRY_VALUE(auto row, library_.web.conversation(conversation));
  const thought::KnownFacts facts = read_facts(library_, row).known;
  Named named{.row = row,
              .session = session_name(row),
              .title = title_of(library_, conversation, facts),
              .project = facts.facts.project};
  if (named.title) named.title = mask_.masked(*named.title);
  return &named_.emplace(conversation, std::move(named)).first->second;
}

Result<const Exchanges*> SearchResults::exchanges_of(const Cid& conversation) {
  WEFT_TRY_VALUE(auto name, named(conversation));
  std::optional<Exchanges>& exchanges = name->exchanges;
  if (!exchanges) {
    WEFT_TRY_VALUE(auto read, Exchanges::of(library_, name->row));
    exchanges = std::move(read);
  }
  return &*exchanges;
}

void SearchResults::add_snippet(const thought::Thought& thought, json::object& result) const {
  // Masked before it is cut: half of a secret would not be recognised.
  const search::Snippet snippet =
      search::make_snippet(mask_.masked(store::searchable_text(thought, library_.keyring)),
                           scope_.query, weights_, kSnippetCodePoints);
  json::array marks;
  for (const search::Mark& mark : snippet.marks) marks.push_back(json::array{mark.begin, mark.end});
  result["snippet"] = snippet.text;
  result["marks"] = std::move(marks);
}

Result<json::object> SearchResults::build(const store::Found& found,
                                          const std::optional<Cid>& conversation_found) {
  Result<thought::Thought> thought = library_.web.get_without_path(found.cid);
  if (!thought) return fail(std::move(thought).error());
  WEFT_TRY_VALUE(auto places_of, own_places(found.cid));
  json::object result{{"cid", found.cid.str()}, {"type", thought->type}, {"score", found.score}};
  add_snippet(*thought, result);
  for (const char* member : {"conversation_cid", "session_id", "title", "project", "turn"}) {
    result[member] = nullptr;  // for thoughts imported without a conversation
  }
  const store::ThoughtPlace* place = shown_place(places_of);
  const auto same = std::ranges::find(places_of, conversation_found, [](const auto& there) {
    return std::optional(there.conversation);
  });
  if (same != places_of.end()) place = &*same;
  if (place != nullptr) {
    WEFT_TRY_VALUE(auto conversation, named(place->conversation));
    WEFT_TRY_VALUE(auto turn, library_.web.get_without_path(place->turn));
    result["conversation_cid"] = place->conversation.str();
    result["session_id"] = conversation->row.session_id;
    result["title"] = text_or_null(conversation->title);
    result["project"] = text_or_null(conversation->project);
    result["turn"] = sequence_in(turn);
  }
  result["created_at"] = found.created_at;
  result["places"] = places_of.size();
  foreigners_.mark(*thought, result);
  return result;
}

Result<json::object> SearchResults::build(const store::FoundSession& found) {
  WEFT_TRY_VALUE(auto result, build(found.best, found.conversation));
  result["more"] = found.more;
  return result;
}

// The places in conversations of the owner, if there are any: a stranger's conversation may hold
// the same block.
Result<std::vector<store::ThoughtPlace>> SearchResults::own_places(const Cid& thought) {
  WEFT_TRY_VALUE(auto places, library_.web.places_of(thought));
  if (places.size() < 2) return places;
  std::vector<store::ConversationRow> rows;
  for (const store::ThoughtPlace& place : places) {
    WEFT_TRY_VALUE(auto conversation, named(place.conversation));
    rows.push_back(conversation->row);
  }
  foreigners_.prefer_own(rows);
  std::erase_if(places, [&](const store::ThoughtPlace& place) {
    return std::ranges::find(rows, place.conversation, &store::ConversationRow::cid) == rows.end();
  });
  return places;
}

// The store returns one exchange that contains the block. A fork shares blocks with its origin, and
// the fork may be the one that was searched.
Result<SearchResults::Place> SearchResults::place_of(const store::FoundTurn& found) {
  WEFT_TRY_VALUE(auto turn, library_.web.get_without_path(found.turn));
  Result<Cid> conversation = Cid::parse(find_string(turn.content, "conversation").value_or(""));
  if (!conversation) return fail(std::move(conversation).error().within("reading a turn"));
  Cid place_turn = found.turn;
  if (!is_in_scope(*conversation)) {
    WEFT_TRY_VALUE(auto places_of, own_places(found.best.cid));
    if (const store::ThoughtPlace* place = shown_place(places_of)) {
      conversation = place->conversation;
      place_turn = place->turn;
    }
  }
  WEFT_TRY_VALUE(auto exchanges, exchanges_of(*conversation));
  const std::optional<std::uint64_t> number = exchanges->find_number(place_turn);
  if (!number) return fail(ErrorCode::not_found, "its turn is of no conversation");
  return Place{*conversation, *number};
}

Result<std::uint64_t> SearchResults::turn_with(const Cid& block, const Exchange& exchange) const {
  WEFT_TRY_VALUE(auto places, library_.web.places_of(block));
  for (const TurnView& turn : exchange.turns) {
    if (std::ranges::find(places, turn.thought.cid, &store::ThoughtPlace::turn) != places.end()) {
      return turn.sequence;
    }
  }
  return exchange.sequence;
}

Result<json::object> SearchResults::build(const store::FoundTurn& found) {
  WEFT_TRY_VALUE(auto best, library_.web.get_without_path(found.best.cid));
  WEFT_TRY_VALUE(auto place, place_of(found));
  WEFT_TRY_VALUE(auto name, named(place.conversation));
  const std::vector<Exchange>& exchanges = name->exchanges->all();
  if (place.number >= exchanges.size()) return fail(ErrorCode::not_found, "it has no turns");
  const Exchange& exchange = exchanges[place.number];
  json::object result{{"session_id", name->session},
                      {"project", text_or_null(name->project)},
                      {"turn_number", place.number},
                      {"score", found.best.score}};
  add_snippet(best, result);
  result["timestamp"] = to_iso8601(exchange.time);
  result["cid"] = found.best.cid.str();
  result["conversation_cid"] = place.conversation.str();
  result["title"] = text_or_null(name->title);
  result["turn"] = exchange.sequence;
  WEFT_TRY_VALUE(auto hit_turn, turn_with(found.best.cid, exchange));
  result["hit_turn"] = hit_turn;
  if (foreigners_.is_foreign_creator(name->row.created_by)) result[kForeign] = true;
  return result;
}

}  // namespace weft::query

// Joins the conversations of a weaver to those of other files before a commit. An edge may belong
// to a conversation that this weaver has not read: that one is opened and gets a commit of its own.
#include <algorithm>
#include <iterator>
#include <set>

#include "weft/base/try.hpp"
#include "weft/weave/conversation_weaver.hpp"
#include "weft/weave/weaver.hpp"

namespace weft::weave {
namespace {

transcript::Heading heading_of(const thought::Thought& conversation) {
  const auto member = [&](std::string_view name) {
    return std::string(find_string(conversation.content, name).value_or(""));
  };
  return {.format = member("format"),
          .family = conversation.type.substr(0, conversation.type.find('/')),
          .program = {},
          .provider = {},
          .session_id = member("session_id"),
          .source = member("source")};
}

}  // namespace

// Null if the owner has no such conversation.
Result<ConversationWeaver*> Weaver::weaver_of(const Cid& conversation) {
  const auto is_it = [&](const auto& other) { return other->cid() == conversation; };
  const auto open = std::ranges::find_if(open_, is_it);
  if (open != open_.end()) return open->get();
  const auto closed = std::ranges::find_if(closed_, is_it);
  if (closed != closed_.end()) return closed->get();
  WEFT_TRY_VALUE(const auto thought, find_readable(known_web_, conversation));
  if (!thought || thought->created_by != identities_.owner().cid) return nullptr;
  WEFT_TRY_VALUE(auto guest, ConversationWeaver::open(identities_, known_web_, *pending_,
                                                      heading_of(*thought)));
  if (guest->cid() != conversation) return nullptr;
  return closed_.emplace_back(std::move(guest)).get();
}

// The conversation that contains a call; null if it is not there.
Result<ConversationWeaver*> Weaver::caller_of(const Joining& joining) {
  if (joining.caller != nullptr) return joining.caller;
  const auto calls = [&](const Cid& holder) -> Result<bool> {
    WEFT_TRY_VALUE(const auto thought, find_readable(known_web_, holder));
    return thought && thought->created_by == identities_.owner().cid &&
           heading_of(*thought).session_id == joining.session_id;
  };
  WEFT_TRY_VALUE(const auto holder, known_web_.find_holder(joining.mark.call, calls));
  if (!holder) return nullptr;
  return weaver_of(*holder);
}

std::vector<ConversationWeaver*> Weaver::all_open() const {
  std::vector<ConversationWeaver*> all;
  for (const auto& conversation : closed_) all.push_back(conversation.get());
  for (const auto& conversation : open_) all.push_back(conversation.get());
  return all;
}

Status Weaver::join_all() {
  std::vector<Joining> joinings;
  for (ConversationWeaver* conversation : all_open()) {
    WEFT_TRY(conversation->settle_requests());
    note_conversation(*conversation);
    WEFT_TRY_VALUE(auto found, conversation->join());
    std::ranges::move(found, std::back_inserter(joinings));
  }
  for (const Joining& joining : joinings) {
    WEFT_TRY_VALUE(ConversationWeaver* const caller, caller_of(joining));
    if (caller != nullptr) WEFT_TRY(caller->weave_spawns(joining.mark, joining.child));
  }
  return {};
}

// The pairs of a call and a conversation that it spawned, of which something is new: that they are
// joined, an outcome of the call, or a response of the conversation.
Status Weaver::return_all() {
  const Cid& owner = identities_.owner().cid;
  std::set<std::pair<Cid, Cid>> pairs(pending_->spawned.begin(), pending_->spawned.end());
  const std::vector<ConversationWeaver*> all = all_open();
  for (ConversationWeaver* conversation : all) {
    WEFT_TRY_VALUE(const auto calls, conversation->mark_outcomes());
    for (const Cid& call : calls) {
      WEFT_TRY_VALUE(const auto children, known_web_.neighbours(owner, call, "spawns", End::from));
      for (const Cid& child : children) pairs.emplace(call, child);
    }
  }
  for (const ConversationWeaver* conversation : all) {
    const bool may_return = conversation->heading().source.starts_with("subagent:");
    if (!may_return || !conversation->has_new_responses()) continue;
    const Cid child = *conversation->cid();
    WEFT_TRY_VALUE(const auto calls, known_web_.neighbours(owner, child, "spawns", End::to));
    for (const Cid& call : calls) pairs.emplace(call, child);
  }
  for (const auto& [call, child] : pairs) {
    WEFT_TRY_VALUE(ConversationWeaver* const conversation, weaver_of(child));
    if (conversation != nullptr) WEFT_TRY(conversation->weave_returns(call));
  }
  return {};
}

// The conversation of a summary's leaf: one that is woven here, or a known one.
Result<std::optional<Ref>> Weaver::find_summarized(const ConversationWeaver& holder,
                                                   const PlaceKey& place) const {
  for (const ConversationWeaver* other : all_open()) {
    if (other->heading().format != holder.heading().format) continue;
    WEFT_TRY_VALUE(const bool is_there, other->has_place(place));
    if (is_there) return other->ref();
  }
  WEFT_TRY_VALUE(const auto known, known_web_.find_conversation_at(holder.heading().format,
                                                                   identities_.owner().cid, place));
  if (!known) return std::nullopt;
  return Ref{.cid = known->cid, .time = known->time, .shared = true};
}

Status Weaver::summarize_all() {
  const std::vector<ConversationWeaver*> all = all_open();
  for (ConversationWeaver* conversation : all) {
    for (const NamedLeaf& leaf : conversation->take_summaries()) {
      WEFT_TRY_VALUE(const auto summarized, find_summarized(*conversation, leaf.place));
      WEFT_TRY(summarized ? conversation->weave_summarizes(leaf, *summarized)
                          : conversation->await_summarized(leaf));
    }
  }
  WEFT_TRY_VALUE(const auto waits, known_web_.waiting_summaries());
  for (ConversationWeaver* conversation : all) {
    for (const Wait& wait : conversation->met_by_new_places(waits)) {
      WEFT_TRY_VALUE(ConversationWeaver* const holder, weaver_of(wait.conversation));
      if (holder == nullptr || holder->heading().format != conversation->heading().format) continue;
      WEFT_TRY(holder->end_wait(wait.key, conversation->ref()));
    }
  }
  return {};
}

}  // namespace weft::weave

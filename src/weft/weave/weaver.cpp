#include "weft/weave/weaver.hpp"

#include <algorithm>
#include <iterator>

#include "weft/weave/conversation_weaver.hpp"

namespace weft::weave {

Weaver::Weaver(thought::Identities& identities, const KnownWeb& known_web)
    : identities_(identities), known_web_(known_web), pending_(std::make_unique<Pending>()) {}
Weaver::~Weaver() = default;

// Conversations spawned by a forgotten one are forgotten too, including later ones.
bool Weaver::is_forgotten(const transcript::Heading& heading) const {
  const auto is_forgotten = [&](std::string_view source) {
    return known_web_.is_forgotten(
        heading_key(identities_.keyring(), heading.format, heading.session_id, source));
  };
  if (is_forgotten(heading.source)) return true;
  return heading.source.starts_with("subagent:") && is_forgotten("primary");
}

void Weaver::heading(const transcript::Heading& heading) {
  if (is_forgotten(heading)) {
    current_ = nullptr;
    saw_forgotten_ = true;
    return;
  }
  current_ = &enter(heading);
  note_conversation();
}

void Weaver::note_conversation() {
  const std::optional<Cid> cid = current_->cid();
  if (cid && seen_.insert(*cid).second) conversation_cids_.push_back(*cid);
}

ConversationWeaver& Weaver::enter(const transcript::Heading& heading) {
  const auto is_it = [&](const auto& conversation) { return conversation->heading() == heading; };
  if (const auto found = std::ranges::find_if(open_, is_it); found != open_.end()) {
    open_.splice(open_.end(), open_, found);
    return *open_.back();
  }
  if (const auto found = std::ranges::find_if(closed_, is_it); found != closed_.end()) {
    open_.push_back(std::move(*found));
    closed_.erase(found);
    return *open_.back();
  }
  if (open_.size() >= kOpenConversations) {
    closed_.push_back(std::move(open_.front()));
    open_.pop_front();
  }
  open_.push_back(
      std::make_unique<ConversationWeaver>(identities_, known_web_, *pending_, heading));
  return *open_.back();
}

// A reader emits a heading first: a turn without one belongs to no conversation and is ignored.
void Weaver::turn(const transcript::TurnHead& head) {
  if (current_ != nullptr) current_->turn(head);
}
void Weaver::block(transcript::Block block) {
  if (current_ == nullptr) return;
  current_->block(block);
  note_conversation();
}
void Weaver::facts(const transcript::Facts& facts) {
  if (current_ != nullptr) current_->facts(facts);
}
void Weaver::origin(const transcript::Origin& origin) {
  if (current_ != nullptr) current_->origin(origin);
}
void Weaver::spawned(const transcript::Spawned& spawned) {
  if (current_ != nullptr) current_->spawned(spawned);
}

void Weaver::skip(transcript::Skipped skipped) {
  Report::Skips& skips = report_.skipped[std::move(skipped.reason)];
  if (skips.count++ < Report::kListed) skips.lines.push_back(skipped.line);
}
void Weaver::repaired(std::size_t count) { report_.repairs += count; }

// The conversation that contains a call, opened so that an edge can be added to it.
std::unique_ptr<ConversationWeaver> Weaver::caller_of(const Joining& joining) {
  transcript::Heading heading;
  const auto calls = [&](const Cid& holder) {
    const Result<thought::Thought> thought = known_web_.get(holder);
    if (!thought || thought->created_by != identities_.owner().cid) return false;
    const auto member = [&](std::string_view name) {
      return std::string(find_string(thought->content, name).value_or(""));
    };
    heading = {.format = member("format"),
               .family = thought->type.substr(0, thought->type.find('/')),
               .program = {},
               .provider = {},
               .session_id = member("session_id"),
               .source = member("source")};
    return heading.session_id == joining.session_id;
  };
  if (!known_web_.find_holder(joining.mark.call, calls)) return nullptr;
  return std::make_unique<ConversationWeaver>(identities_, known_web_, *pending_, heading);
}

std::vector<CommitUnit> Weaver::take(Millis now) {
  std::vector<Joining> joinings;
  const auto join = [&](ConversationWeaver& conversation) {
    std::ranges::move(conversation.join(), std::back_inserter(joinings));
  };
  for (const auto& conversation : closed_) join(*conversation);
  for (const auto& conversation : open_) join(*conversation);
  for (const Joining& joining : joinings) {
    ConversationWeaver* caller = joining.caller;
    if (caller == nullptr) {
      std::unique_ptr<ConversationWeaver> guest = caller_of(joining);
      if (guest == nullptr) continue;
      // It may be woven here already, or was opened for an edge before.
      const auto is_it = [&](const auto& other) { return other->cid() == guest->cid(); };
      const auto open = std::ranges::find_if(open_, is_it);
      const auto closed = std::ranges::find_if(closed_, is_it);
      if (open != open_.end()) {
        caller = open->get();
      } else if (closed != closed_.end()) {
        caller = closed->get();
      } else {
        caller = closed_.emplace_back(std::move(guest)).get();
      }
    }
    caller->weave_spawns(joining.mark, joining.child);
  }
  std::vector<CommitUnit> all;
  const auto take_from = [&](ConversationWeaver& conversation) {
    if (std::optional<CommitUnit> unit = conversation.take(now)) all.push_back(*std::move(unit));
  };
  for (const auto& conversation : closed_) take_from(*conversation);
  for (const auto& conversation : open_) take_from(*conversation);
  closed_.clear();
  *pending_ = {};
  return all;
}

std::size_t Weaver::pending_bytes() const {
  std::size_t bytes = 0;
  for (const auto& conversation : closed_) bytes += conversation->pending_bytes();
  for (const auto& conversation : open_) bytes += conversation->pending_bytes();
  return bytes;
}

std::vector<Cid> Weaver::conversations() const { return conversation_cids_; }

std::optional<Cid> Weaver::last_block() const {
  return current_ == nullptr ? std::nullopt : current_->last_block();
}

Weaver::Report Weaver::take_report() { return std::exchange(report_, {}); }

json::object Weaver::save() const {
  json::array conversations;
  for (const auto& conversation : open_) conversations.push_back(conversation->save());
  return {{"conversations", std::move(conversations)}};
}

bool Weaver::restore(const json::object& state) {
  const json::array* conversations = find_array(state, "conversations");
  if (conversations == nullptr) return false;
  for (const json::value& value : *conversations) {
    const json::object* object = value.if_object();
    std::unique_ptr<ConversationWeaver> conversation;
    if (object != nullptr) {
      conversation = ConversationWeaver::restore(identities_, known_web_, *pending_, *object);
    }
    if (conversation == nullptr) return false;
    open_.push_back(std::move(conversation));
  }
  return true;
}

}  // namespace weft::weave

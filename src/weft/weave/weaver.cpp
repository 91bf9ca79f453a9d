#include "weft/weave/weaver.hpp"

#include <algorithm>

#include "weft/base/try.hpp"
#include "weft/weave/conversation_weaver.hpp"

namespace weft::weave {

Weaver::Weaver(thought::Identities& identities, const KnownWeb& known_web)
    : identities_(identities), known_web_(known_web), pending_(std::make_unique<Pending>()) {}
Weaver::~Weaver() = default;

bool Weaver::keep(Status status) {
  if (status) return true;
  if (!failure_) failure_ = std::move(status).error().within("looking up stored thoughts");
  current_ = nullptr;
  return false;
}

// A forgotten conversation took along what its calls had spawned, and also takes what they spawn
// later.
Result<bool> Weaver::is_forgotten(const transcript::Heading& heading) const {
  const auto is_kept_out = [&](std::string_view source) {
    return known_web_.is_forgotten(
        heading_key(identities_.keyring(), heading.format, heading.session_id, source));
  };
  WEFT_TRY_VALUE(const bool forgotten, is_kept_out(heading.source));
  if (forgotten || !heading.source.starts_with("subagent:")) return forgotten;
  return is_kept_out("primary");
}

void Weaver::heading(const transcript::Heading& heading) {
  if (!failure_) keep(enter(heading));
}

Status Weaver::enter(const transcript::Heading& heading) {
  WEFT_TRY_VALUE(const bool forgotten, is_forgotten(heading));
  if (forgotten) {
    current_ = nullptr;
    saw_forgotten_ = true;
    return {};
  }
  WEFT_TRY_VALUE(current_, open(heading));
  note_conversation(*current_);
  return {};
}

void Weaver::note_conversation(const ConversationWeaver& conversation) {
  const std::optional<Cid> cid = conversation.cid();
  if (cid && seen_.insert(*cid).second) conversation_cids_.push_back(*cid);
}

Result<ConversationWeaver*> Weaver::open(const transcript::Heading& heading) {
  const auto is_it = [&](const auto& conversation) { return conversation->heading() == heading; };
  if (const auto found = std::ranges::find_if(open_, is_it); found != open_.end()) {
    open_.splice(open_.end(), open_, found);
    return open_.back().get();
  }
  if (const auto found = std::ranges::find_if(closed_, is_it); found != closed_.end()) {
    open_.push_back(std::move(*found));
    closed_.erase(found);
    return open_.back().get();
  }
  WEFT_TRY_VALUE(auto opened,
                 ConversationWeaver::open(identities_, known_web_, *pending_, heading));
  if (open_.size() >= kOpenConversations) {
    closed_.push_back(std::move(open_.front()));
    open_.pop_front();
  }
  open_.push_back(std::move(opened));
  return open_.back().get();
}

// A reader emits a heading first: a turn without one belongs to no conversation and is ignored.
void Weaver::turn(const transcript::TurnHead& head) {
  if (current_ != nullptr) current_->turn(head);
}
void Weaver::block(transcript::Block&& block) {
  if (current_ != nullptr && keep(current_->block(block))) note_conversation(*current_);
}
void Weaver::facts(const transcript::Facts& facts) {
  if (current_ != nullptr) current_->facts(facts);
}
void Weaver::request(const transcript::Request& request) {
  if (current_ != nullptr) current_->request(request);
}
void Weaver::origin(const transcript::Origin& origin) {
  if (current_ != nullptr) current_->origin(origin);
}
void Weaver::spawned(const transcript::Spawned& spawned) {
  if (current_ != nullptr) keep(current_->spawned(spawned));
}

void Weaver::skip(transcript::Skipped skipped) {
  Report::Skips& skips = report_.skipped[std::move(skipped.reason)];
  if (skips.count++ < Report::kListed) skips.lines.push_back(skipped.line);
}
void Weaver::repaired(std::size_t count) { report_.repairs += count; }

void Weaver::witness_answer(json::object heard) {
  if (current_ != nullptr) current_->witness_answer(std::move(heard));
}

Result<std::vector<CommitUnit>> Weaver::take(Millis now) {
  if (!failure_) keep(join_all());
  if (!failure_) keep(return_all());
  if (!failure_) keep(summarize_all());
  if (failure_) return fail(*failure_);
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

Result<bool> Weaver::restore(const json::object& state) {
  const json::array* conversations = find_array(state, "conversations");
  if (conversations == nullptr) return false;
  for (const json::value& value : *conversations) {
    const json::object* object = value.if_object();
    std::unique_ptr<ConversationWeaver> conversation;
    if (object != nullptr) {
      WEFT_TRY_VALUE(conversation,
                     ConversationWeaver::restore(identities_, known_web_, *pending_, *object));
    }
    if (conversation == nullptr) return false;
    open_.push_back(std::move(conversation));
  }
  return true;
}

}  // namespace weft::weave

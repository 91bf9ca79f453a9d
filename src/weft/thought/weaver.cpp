#include "weft/thought/weaver.hpp"

#include "weft/thought/conversation_weaver.hpp"

namespace weft::thought {

Weaver::Weaver(Cast& cast, const Memory& memory) : cast_(cast), memory_(memory) {}
Weaver::~Weaver() = default;

void Weaver::heading(const transcript::Heading& heading) {
  const std::string key = heading.format + '\0' + heading.session_id + '\0' + heading.source;
  ConversationWeaver*& known = by_heading_[key];
  if (known == nullptr) {
    conversations_.push_back(
        std::make_unique<ConversationWeaver>(cast_, memory_, pending_, heading));
    known = conversations_.back().get();
  }
  current_ = known;
}

// A reader says whose words follow before it says any: what comes without a heading has
// no conversation to stand in.
void Weaver::turn(const transcript::TurnHead& head) {
  if (current_ != nullptr) current_->turn(head);
}
void Weaver::block(transcript::Block block) {
  if (current_ != nullptr) current_->block(block);
}
void Weaver::facts(const transcript::Facts& facts) {
  if (current_ != nullptr) current_->facts(facts);
}

void Weaver::origin(const transcript::Origin&) {}
void Weaver::spawned(const transcript::Spawned&) {}

void Weaver::skip(transcript::Skipped skipped) { report_.skipped.push_back(std::move(skipped)); }
void Weaver::repaired(std::size_t count) { report_.repairs += count; }

std::vector<Woven> Weaver::take(Millis now) {
  std::vector<Woven> all;
  for (const auto& conversation : conversations_) {
    if (std::optional<Woven> woven = conversation->take(now)) all.push_back(*std::move(woven));
  }
  pending_.clear();
  return all;
}

std::size_t Weaver::pending_bytes() const {
  std::size_t bytes = 0;
  for (const auto& conversation : conversations_) bytes += conversation->pending_bytes();
  return bytes;
}

std::vector<Cid> Weaver::conversations() const {
  std::vector<Cid> cids;
  for (const auto& conversation : conversations_) {
    if (const std::optional<Cid> cid = conversation->cid()) cids.push_back(*cid);
  }
  return cids;
}

Weaver::Report Weaver::take_report() { return std::exchange(report_, {}); }

}  // namespace weft::thought

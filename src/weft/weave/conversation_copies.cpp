// Weaves the blocks that `weft resume` copied into this session: each is the thought that it was
// copied from, and the conversation continues the one that they came from.
#include "weft/base/try.hpp"
#include "weft/thought/resumption.hpp"
#include "weft/weave/block_content.hpp"
#include "weft/weave/block_copies.hpp"
#include "weft/weave/conversation_weaver.hpp"

namespace weft::weave {
namespace {

// A tool that imports a session puts a note or two before its first record.
constexpr int kMostBeforeCopies = 3;

}  // namespace

PlaceKey copy_key(const crypto::Keyring& keyring, const transcript::Block& block) {
  json::object content = block_content(block, {});
  content.erase("duration_ms");
  return key_of(keyring,
                {"copy", block.source_id, block.index, thought_kind(block), std::move(content)});
}

PlaceKey resumed_session_key(const crypto::Keyring& keyring, std::string_view format,
                             std::string_view session_id) {
  return key_of(keyring, {"resumed session", format, session_id});
}

PlaceKey resumed_record_key(const crypto::Keyring& keyring, std::string_view format,
                            std::string_view source_id) {
  return key_of(keyring, {"resumed record", format, source_id});
}

// Looks for the resumption that made this session, at the first blocks of a reading.
Status ConversationWeaver::find_resumption(const transcript::Block& block) {
  if (resumption_ || is_resumed_ || blocks_read_ >= kMostBeforeCopies) return {};
  const crypto::Keyring& keyring = identities_.keyring();
  std::optional<Mark> mark;
  if (heading_.source != "primary") return {};
  if (blocks_read_++ == 0) {
    WEFT_TRY_VALUE(mark, known_web_.find_mark(
                             resumed_session_key(keyring, heading_.format, heading_.session_id)));
  }
  if (!mark) {
    WEFT_TRY_VALUE(
        mark, known_web_.find_mark(resumed_record_key(keyring, heading_.format, block.source_id)));
  }
  return mark ? load_resumption(mark->call) : Status();
}

// A resumption that is gone or damaged is none: then copies are woven as any block.
Status ConversationWeaver::load_resumption(const Cid& cid) {
  WEFT_TRY_VALUE(const auto thought, find_readable(known_web_, cid));
  if (!thought || thought->created_by != identities_.owner().cid) return {};
  const Result<thought::Resumption> resumption = thought::to_resumption(*thought);
  if (!resumption) return {};
  resumption_ = cid;
  continued_ = resumption->conversation;
  for (const thought::Resumption::Copy& copy : resumption->copies) {
    copies_.emplace(copy.key, copy.block);
  }
  return {};
}

Result<std::optional<thought::Thought>> ConversationWeaver::find_original(
    const transcript::Block& block) const {
  if (copies_.empty()) return std::nullopt;
  const auto copy = copies_.find(copy_key(identities_.keyring(), block));
  if (copy == copies_.end()) return std::nullopt;
  WEFT_TRY_VALUE(const auto sealed, known_web_.sealed_as(identities_.owner().cid, copy->second));
  return find_thought(sealed.value_or(copy->second));
}

// Adds a place for a thought that the web has, with its author. Other edges it has already.
Status ConversationWeaver::place_original(const transcript::Block& block,
                                          const thought::Thought& original) {
  const PlaceKey key = place_key("block", block.source_id, block.index);
  Ref ref{.cid = original.cid, .kind = kind_of(block), .time = original.created_at, .shared = true};
  WEFT_TRY_VALUE(const auto current, find_place(key));
  if (current == original.cid) {
    record(block, ref);
    return {};
  }
  // Once all are placed, a saved state need not know them.
  if (++copied_ == copies_.size()) resumption_.reset();
  WEFT_TRY(use_author(original));
  add(original, nullptr);
  WEFT_TRY_VALUE(const std::uint64_t index, next_position());
  WEFT_TRY_VALUE(const bool is_new, connect("contains", turn_->ref, ref, {}, ref, index));
  if (is_new) {
    ++blocks_;
    head_ = thought::next_head(head_, ref.cid);
  }
  note_place(key, ref.cid);
  if (block.author == transcript::Author::model && block.model) models_.insert(*block.model);
  record(block, ref);
  return {};
}

// The identity behind a thought, and what it spoke through: they stay as long as this conversation.
Status ConversationWeaver::use_author(const thought::Thought& original) {
  const Cid voice = original.source.value_or(original.created_by);
  if (!used_.insert(voice).second) return {};
  const auto add_known = [this](const Cid& cid) -> Status {
    WEFT_TRY_VALUE(auto thought, find_readable(known_web_, cid));
    if (thought) add(*std::move(thought), nullptr);
    return {};
  };
  WEFT_TRY(add_known(original.created_by));
  if (!original.source) return {};
  WEFT_TRY_VALUE(const auto source, find_readable(known_web_, *original.source));
  if (!source) return {};
  Result<thought::Connection> uses_input = thought::to_connection(*source);
  if (!uses_input) return {};
  WEFT_TRY(add_known(uses_input->to));
  if (in_unit_.emplace(*original.source, 0).second) {
    unit_.connections.push_back(*std::move(uses_input));
  }
  return {};
}

Status ConversationWeaver::join_resumed(const Ref& self) {
  if (!continued_) return {};
  const Cid other = *std::exchange(continued_, std::nullopt);
  WEFT_TRY_VALUE(const auto thought, find_readable(known_web_, other));
  if (!thought) return {};  // it was forgotten
  const Ref to{.cid = other, .time = thought->created_at, .shared = true};
  WEFT_TRY_VALUE(const bool is_joined, knows(cid_of(edge("continues", self, to, {}))));
  if (!is_joined) WEFT_TRY(connect("continues", self, to, {}, self));
  return {};
}

}  // namespace weft::weave

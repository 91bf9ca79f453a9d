// Opening a conversation: from the web, and from a saved state, which has the fields that only its
// source knows.
#include "weft/base/try.hpp"
#include "weft/thought/facts.hpp"
#include "weft/thought/seal.hpp"
#include "weft/transcript/state.hpp"
#include "weft/weave/conversation_weaver.hpp"

namespace weft::weave {
namespace {

void archive_heading(StateArchive& a, transcript::Heading& heading) {
  a.lenient("format", heading.format);
  a.lenient("family", heading.family);
  a.lenient("program", heading.program);
  a.lenient("provider", heading.provider);
  a.lenient("session_id", heading.session_id);
  a.lenient("source", heading.source);
}

}  // namespace

Result<std::unique_ptr<ConversationWeaver>> ConversationWeaver::open(
    thought::Identities& identities, const KnownWeb& known_web, Pending& pending,
    transcript::Heading heading) {
  std::unique_ptr<ConversationWeaver> weaver(
      new ConversationWeaver(identities, known_web, pending, std::move(heading)));
  WEFT_TRY(weaver->find_known());
  return weaver;
}

// A conversation of the same name that another identity wove is theirs: ours begins beside it.
Status ConversationWeaver::find_known() {
  WEFT_TRY_VALUE(known_, known_web_.find_conversation(heading_, identities_.owner().cid));
  return known_ ? load_known() : Status();
}

// Continues from the newest checkpoint and facts of the web.
Status ConversationWeaver::load_known() {
  conversation_ = known_->cid;
  conversation_time_ = known_->created_at;
  next_sequence_ = known_->turns;
  committed_before_ = true;
  last_checkpoint_ = known_->checkpoint;
  if (known_->checkpoint) {
    WEFT_TRY_VALUE(const auto thought, find_readable(known_web_, *known_->checkpoint));
    if (thought) {
      if (std::optional<Error> newer = find_newer_version(*thought)) {
        return fail((*std::move(newer)).within("continuing conversation " + known_->cid.brief()));
      }
      if (Result<thought::Checkpoint> checkpoint = to_checkpoint(*thought)) {
        blocks_ = checkpoint->blocks;
        head_ = checkpoint->head;
      }
    }
  }
  if (known_->facts) {
    WEFT_TRY_VALUE(const auto thought, find_readable(known_web_, *known_->facts));
    if (thought) {
      last_facts_ = open_content(*thought, &identities_.keyring());
      are_facts_sealed_ = is_sealed_by_choice(*thought);
      models_ = thought::parse_facts(last_facts_).models;
      facts_ = thought::parse_facts(last_facts_).facts;
    }
  }
  return {};
}

void ConversationWeaver::OpenTurn::archive(StateArchive& a) {
  a.field("role", head.role);
  a.lenient("source_id", head.source_id);
  a.lenient("counted", head.counted);
  a.field("cid", ref.cid);
  a.lenient("time", ref.time);
  a.optional("next_index", next_index);
  if (!a.is_writing()) ref.shared = true;
}

void ConversationWeaver::archive(StateArchive& a) {
  std::optional<Cid> conversation = conversation_;
  a.optional("conversation", conversation);
  a.check(conversation == conversation_);
  a.field("flow", tracker_);
  a.nullable("stop_before", stop_before_);
  a.nullable("latest", latest_);
  a.field("is_copying", is_copying_);
  a.optional("latest_turn", latest_turn_);
  a.optional("resumption", resumption_);
  // The reader announces a turn without blocks again.
  a.optional("turn", turn_);
}

json::object ConversationWeaver::save() const {
  StateArchive a;
  archive_heading(a, const_cast<transcript::Heading&>(heading_));  // as in save_object()
  const_cast<ConversationWeaver*>(this)->archive(a);
  return a.take_written();
}

Result<std::unique_ptr<ConversationWeaver>> ConversationWeaver::restore(
    thought::Identities& identities, const KnownWeb& known_web, Pending& pending,
    const json::object& state) {
  StateArchive a(state);
  transcript::Heading heading;
  archive_heading(a, heading);
  WEFT_TRY_VALUE(auto weaver, open(identities, known_web, pending, std::move(heading)));
  weaver->is_resumed_ = true;
  weaver->archive(a);
  if (!a.is_ok()) return nullptr;
  if (weaver->resumption_) WEFT_TRY(weaver->load_resumption(Cid(*weaver->resumption_)));
  return weaver;
}

}  // namespace weft::weave

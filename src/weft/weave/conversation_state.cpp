// The saved fields of a conversation's weaving: those that only its source knows. The rest is in
// the web.
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
  // The reader announces a turn without blocks again.
  a.optional("turn", turn_);
}

json::object ConversationWeaver::save() const {
  StateArchive a;
  archive_heading(a, const_cast<transcript::Heading&>(heading_));  // as in save_object()
  const_cast<ConversationWeaver*>(this)->archive(a);
  return a.take_written();
}

std::unique_ptr<ConversationWeaver> ConversationWeaver::restore(thought::Identities& identities,
                                                                const KnownWeb& known_web,
                                                                Pending& pending,
                                                                const json::object& state) {
  StateArchive a(state);
  transcript::Heading heading;
  archive_heading(a, heading);
  auto weaver =
      std::make_unique<ConversationWeaver>(identities, known_web, pending, std::move(heading));
  weaver->is_resumed_ = true;
  weaver->archive(a);
  return a.is_ok() ? std::move(weaver) : nullptr;
}

}  // namespace weft::weave

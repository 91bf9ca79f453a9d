// The saved fields of a CauseTracker, from which weaving resumes.
#include "weft/transcript/state.hpp"
#include "weft/weave/cause_rules.hpp"

namespace weft::weave {

static constexpr Kind last_enumerator(Kind /*one*/) { return Kind::other; }

static auto state_row(Ref& ref) { return state_cells(StateHex{ref.cid}, ref.kind, ref.time); }

// A block that was woven before is in the web.
static StateFit read_value(const json::value& from, Ref& ref) {
  ref.shared = true;
  return weft::read_value<Ref>(from, ref);
}

void CauseTracker::Step::archive(StateArchive& a) {
  a.field("message_id", message_id);
  a.field("open", open);
  a.field("news", news);
  a.nullable("thinking", thinking);
}

void CauseTracker::Call::archive(StateArchive& a) {
  a.field("id", id);
  a.field("name", name);
  a.field("ref", ref);
  a.optional("result", result);
  a.sparse("spawning", is_spawning);
  a.sparse("background", is_in_background);
}

void CauseTracker::archive(StateArchive& a) {
  a.nullable("last", last_);
  a.nullable("turn_last", turn_last_);
  a.nullable("turn_response", turn_response_);
  a.nullable("turn_thinking", turn_thinking_);
  a.field("prior", prior_);
  a.field("opening", opening_);
  a.field("model_spoke", model_spoke_);
  a.field("role", role_);
  a.field("news", news_);
  a.field("steps", steps_);
  a.nullable("last_result", last_result_);
  a.field("open_calls", open_calls_);
  a.field("answered_calls", answered_calls_);
  a.field("documents", documents_);
}

}  // namespace weft::weave

// A conversation's weaving, as JSON and back: what its source alone knows. The rest is in
// the web.
#include "weft/weave/conversation_weaver.hpp"

namespace weft::weave {
namespace {

json::value optional_json(const std::optional<Millis>& time) {
  return time ? json::value(*time) : json::value();
}

}  // namespace

json::object ConversationWeaver::save() const {
  json::object state{
      {"format", heading_.format},         {"family", heading_.family},
      {"program", heading_.program},       {"provider", heading_.provider},
      {"session_id", heading_.session_id}, {"source", heading_.source},
      {"flow", tracker_.save()},           {"stop_before", optional_json(stop_before_)},
      {"latest", optional_json(latest_)},  {"is_copying", is_copying_}};
  if (conversation_) state["conversation"] = conversation_->str();
  if (latest_turn_) state["latest_turn"] = *latest_turn_;
  // A turn that was announced and has no block yet is told again by its reader.
  if (turn_) {
    json::object turn{{"role", transcript::to_string(turn_->head.role)},
                      {"source_id", turn_->head.source_id},
                      {"counted", turn_->head.counted},
                      {"cid", turn_->ref.cid.str()},
                      {"time", turn_->ref.time}};
    if (turn_->next_index) turn["next_index"] = *turn_->next_index;
    state["turn"] = std::move(turn);
  }
  return state;
}

std::unique_ptr<ConversationWeaver> ConversationWeaver::restore(thought::Identities& identities,
                                                                const KnownWeb& known_web,
                                                                Pending& pending,
                                                                const json::object& state) {
  const auto text = [&](const json::object& object, std::string_view key) {
    return std::string(find_string(object, key).value_or(""));
  };
  auto weaver = std::make_unique<ConversationWeaver>(
      identities, known_web, pending,
      transcript::Heading{.format = text(state, "format"),
                          .family = text(state, "family"),
                          .program = text(state, "program"),
                          .provider = text(state, "provider"),
                          .session_id = text(state, "session_id"),
                          .source = text(state, "source")});
  const std::optional<std::string_view> conversation = find_string(state, "conversation");
  const std::string here = weaver->conversation_ ? weaver->conversation_->str() : "";
  if (conversation.value_or("") != here) return nullptr;
  const json::object* tracker = find_object(state, "flow");
  if (tracker == nullptr || !weaver->tracker_.restore(*tracker)) return nullptr;
  weaver->is_resumed_ = true;
  weaver->stop_before_ = find_int(state, "stop_before");
  weaver->latest_ = find_int(state, "latest");
  weaver->is_copying_ = find_bool(state, "is_copying").value_or(false);
  if (const std::optional<std::int64_t> latest = find_int(state, "latest_turn")) {
    weaver->latest_turn_ = static_cast<std::uint64_t>(*latest);
  }
  if (const json::object* turn = find_object(state, "turn")) {
    const Result<Cid> cid = Cid::parse(text(*turn, "cid"));
    const std::optional<transcript::Role> role = transcript::parse_role(text(*turn, "role"));
    if (!cid || !role) return nullptr;
    weaver->turn_ =
        OpenTurn{.head = {.role = *role,
                          .source_id = text(*turn, "source_id"),
                          .counted = find_bool(*turn, "counted").value_or(false)},
                 .ref = {.cid = *cid, .time = find_int(*turn, "time").value_or(0), .shared = true}};
    if (const std::optional<std::int64_t> next = find_int(*turn, "next_index")) {
      weaver->turn_->next_index = static_cast<std::uint64_t>(*next);
    }
  }
  return weaver;
}

}  // namespace weft::weave

#include "weft/capture/agent/ledger.hpp"

#include <algorithm>
#include <utility>

#include "weft/base/hex.hpp"
#include "weft/base/try.hpp"
#include "weft/formats/adapters/anthropic_transcript/live_transcript.hpp"
#include "weft/ingest/run/weave_session.hpp"
#include "weft/weave/weave_version.hpp"

namespace weft::capture {
namespace {

constexpr std::string_view kListFormat = "capture";

std::string path_of(std::string_view session) {
  return std::string(ingest::kCapturedPath) + std::string(session);
}

std::unexpected<Error> unreadable() {
  return fail(ErrorCode::corrupt, "the state of a captured session cannot be read");
}

json::object object_in(const json::object& state, std::string_view key) {
  const json::object* object = find_object(state, key);
  return object == nullptr ? json::object() : *object;
}

}  // namespace

store::Source Ledger::new_source(std::string_view path) const {
  store::Source source;
  source.key = seal_.key(path);
  source.weave_version = weave::kWeaveVersion;
  return source;
}

Session Ledger::begin(const std::string& id) const {
  Session session{.id = id, .source = new_source(path_of(id))};
  session.source.format = formats::LiveTranscript::heading(id).format;
  session.source.about = seal_.seal_description(
      session.source.key, {.format = session.source.format, .path = path_of(id), .project = {}});
  return session;
}

Result<std::optional<Session>> Ledger::find(const std::string& id) const {
  WEFT_TRY_VALUE(auto source, store_.sources().find(seal_.key(path_of(id))));
  if (!source) return std::nullopt;
  return read(*std::move(source));
}

// Empty if the session was forgotten: then its state is gone.
Result<std::optional<Session>> Ledger::read(store::Source source) const {
  if (source.state.empty()) return std::nullopt;
  const Result<std::string> text = seal_.open_state(source.key, source.state);
  if (!text) return fail(Error(text.error()).within("opening a captured session"));
  const Result<ParsedJson> parsed = parse_json(*text);
  const json::object* state = parsed ? parsed->value.if_object() : nullptr;
  if (state == nullptr) return unreadable();
  if (ingest::version_of(*state) > ingest::kStateVersion) {
    return fail(ErrorCode::unavailable,
                "cannot read a captured session: a newer version of weft has recorded it; use that "
                "version, or start a new session");
  }
  const auto id = find_string(*state, "session");
  const auto is_recording = find_bool(*state, "recording");
  if (!id || !is_recording) return unreadable();
  Session session{.id = std::string(*id),
                  .source = std::move(source),
                  .is_recording = *is_recording,
                  .transcript = object_in(*state, "transcript"),
                  .weaver = object_in(*state, "weaver")};
  if (const auto name = find_string(*state, "conversation")) {
    const Result<Cid> cid = Cid::parse(*name);
    if (!cid) return unreadable();
    session.conversation = *cid;
  }
  return session;
}

store::SourceUpdate Ledger::update(const Session& session, Millis now) const {
  json::object state{{"version", ingest::kStateVersion},
                     {"session", session.id},
                     {"recording", session.is_recording},
                     {"transcript", session.transcript},
                     {"weaver", session.weaver}};
  if (session.conversation) state["conversation"] = session.conversation->str();
  store::SourceUpdate update{.source = session.source};
  update.source.ingested_at = now;
  update.source.state = seal_.seal_state(session.source.key, canonical_json(state));
  if (session.conversation) update.conversations = {*session.conversation};
  return update;
}

Result<Ledger::Listed> Ledger::read_list() const {
  WEFT_TRY_VALUE(auto found, store_.sources().find(seal_.key(path_of(""))));
  Listed list;
  if (!found) {
    list.source = new_source(path_of(""));
    list.source.format = kListFormat;
    list.source.about = seal_.seal_description(
        list.source.key, {.format = list.source.format, .path = path_of(""), .project = {}});
    return list;
  }
  list.source = *std::move(found);
  const Result<std::string> text = seal_.open_state(list.source.key, list.source.state);
  if (!text) return fail(Error(text.error()).within("opening the list of captured sessions"));
  const Result<ParsedJson> parsed = parse_json(*text);
  const json::array* keys = parsed ? parsed->value.if_array() : nullptr;
  if (keys == nullptr) return unreadable();
  for (const json::value& value : *keys) {
    const json::string* hex = value.if_string();
    store::SourceKey key{};
    if (hex == nullptr || !parse_hex(view(*hex), key)) return unreadable();
    list.keys.push_back(key);
  }
  return list;
}

Result<std::vector<std::string>> Ledger::recording() const {
  const Result<Listed> list = read_list();
  if (!list) return fail(Error(list.error()));
  std::vector<std::string> ids;
  for (const store::SourceKey& key : list->keys) {
    WEFT_TRY_VALUE(auto source, store_.sources().find(key));
    if (!source) continue;
    WEFT_TRY_VALUE(auto session, read(*std::move(source)));
    if (session && session->is_recording) ids.push_back(std::move(session->id));
  }
  return ids;
}

Result<store::SourceUpdate> Ledger::list(const Session& session, Millis now) const {
  WEFT_TRY_VALUE(auto list, read_list());
  json::array keys;
  for (const store::SourceKey& key : list.keys) {
    if (key == session.source.key) continue;
    WEFT_TRY_VALUE(auto source, store_.sources().find(key));
    const bool is_forgotten = !source || source->state.empty();
    if (!is_forgotten) keys.emplace_back(to_hex(key));
  }
  if (session.is_recording) keys.emplace_back(to_hex(session.source.key));
  store::SourceUpdate update{.source = std::move(list.source)};
  update.source.ingested_at = now;
  update.source.state = seal_.seal_state(update.source.key, canonical_json(keys));
  return update;
}

}  // namespace weft::capture

#include "weft/mcp/answers/capture_results.hpp"

#include <fmt/format.h>

namespace weft::mcp {

json::object cannot_ingest(const ServerContext& context) {
  if (context.is_read_only) {
    return refused(
        "Cannot ingest: the store can be read, but not written; it is on a read-only file system, "
        "or belongs to another user.",
        "Questions are answered. To ingest, start weft with a home of your own: --home DIR.");
  }
  return refused(
      "Cannot ingest: everything in the web is signed, and this server's keyring cannot sign.",
      "Start weft with the owner's keyring: keyring.json in weft's home, or another one named with "
      "--keys. Keyrings made by weft keys export can only read.");
}

std::expected<capture::Recorder*, json::object> recorder_of(const Call& call) {
  if (call.context().recorder == nullptr) return std::unexpected(cannot_ingest(call.context()));
  return call.context().recorder;
}

std::expected<std::string, json::object> session_of(const Call& call,
                                                    const capture::Recorder& recorder) {
  if (std::optional<std::string> named = find_text_in(call.arguments(), "session_id")) {
    return *std::move(named);
  }
  Result<std::vector<std::string>> recording = recorder.recording();
  if (!recording) return std::unexpected(refused(recording.error()));
  if (recording->size() == 1) return std::move(recording->front());
  if (recording->empty()) {
    return std::unexpected(refused("No session is recording.",
                                   "Start one: wot_capture_start {\"session_id\": \"…\"}"));
  }
  std::string names;
  for (const std::string& id : *recording) {
    names += (names.empty() ? "" : ", ") + canonical_json(json::value(id));
  }
  return std::unexpected(
      refused("Several sessions are recording: name one with session_id.", names));
}

json::object not_recorded(const Error& error, const std::string& session_id) {
  if (error.code != ErrorCode::not_found) return refused(error);
  const std::string name = canonical_json(json::value(session_id));
  return refused(fmt::format("The session {} is not recording.", name),
                 fmt::format("Start or resume it: wot_capture_start {{\"session_id\": {}}}", name));
}

Parameter session_parameter(std::string_view description, bool is_required) {
  return {
      .name = "session_id", .description = description, .is_required = is_required, .longest = 200};
}

}  // namespace weft::mcp

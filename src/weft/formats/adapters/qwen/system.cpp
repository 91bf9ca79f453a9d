// Records of type "system": what the harness notes for itself, and the few in which something
// is said: commands and their output, compactions, notifications, the provider's errors.
#include <algorithm>
#include <array>
#include <utility>

#include "weft/formats/adapters/qwen/reading.hpp"
#include "weft/formats/apis/google/parts.hpp"

namespace weft::formats::qwen {
namespace {

using transcript::Author;
using transcript::Text;

struct Noise {
  std::string_view subtype, reason;
};
constexpr std::array<Noise, 18> kNoise = {{
    {"attribution_snapshot", "snapshot"},
    {"file_history_snapshot", "snapshot"},
    {"session_artifact_snapshot", "snapshot"},
    {"session_sources_snapshot", "snapshot"},
    {"session_artifact_event", "internal"},
    {"session_source", "internal"},
    {"session_execution_engine", "internal"},
    {"session_model", "internal"},
    {"session_approval_mode", "internal"},
    {"branch_checkpoint", "internal"},
    {"goal_state", "internal"},
    {"goal_turn_end", "internal"},
    {"agent_retry", "internal"},
    {"agent_session_ready", "internal"},
    {"rewind", "rewind"},
    // These repeat a prompt, and what came of it.
    {"at_command", "mirror"},
    {"user_text_elements", "mirror"},
    {"turn_result", "mirror"},
}};

// What the harness counts. Errors of the provider are nowhere else, but for those of subagents,
// which have sessions of their own.
Reading read_telemetry(const Entry& entry) {
  Reading reading{.skip = "telemetry"};
  const json::object* event =
      entry.payload == nullptr ? nullptr : find_object(*entry.payload, "uiEvent");
  if (event == nullptr || event->contains("subagent_id")) return reading;
  if (!find_string(*event, "event.name").value_or("").ends_with(".api_error")) return reading;
  for (const std::string_view key : {"error_message", "error"}) {
    const std::string_view text = find_string(*event, key).value_or("");
    if (text.empty()) continue;
    reading.blocks.push_back(
        {Author::program, transcript::Failure{.text = std::string(text), .details = *event}});
    break;
  }
  return reading;
}

// The summary is first in the history that the model continues with; behind it come the last
// messages once more.
Reading read_compression(const Entry& entry) {
  Reading reading{.skip = "compact-boundary"};
  const json::array* history =
      entry.payload == nullptr ? nullptr : find_array(*entry.payload, "compressedHistory");
  if (history == nullptr) return reading;
  std::string summary;
  for (const json::value& value : *history) {
    const json::object* content = value.if_object();
    if (content == nullptr || find_string(*content, "role") != "user") continue;
    const json::value* parts = find_member(*content, "parts");
    if (parts == nullptr) continue;
    std::string text = google::text_of(google::parse_parts(*parts, Author::human).blocks);
    const bool is_summary = text.find("<state_snapshot>") != std::string::npos;
    if (summary.empty() || is_summary) summary = std::move(text);
    if (is_summary) break;
  }
  if (!summary.empty()) {
    reading.blocks.push_back({Author::model, transcript::Compaction{std::move(summary)}});
  }
  return reading;
}

Reading read_command(const Entry& entry) {
  Reading reading;
  const std::string_view command = entry.payload_text("rawCommand");
  if (entry.payload_text("phase") == "invocation") {
    const bool is_hidden =
        entry.payload != nullptr && find_bool(*entry.payload, "hiddenInvocation").value_or(false);
    if (!command.empty()) {
      const Author author = is_hidden ? Author::program : Author::human;
      reading.blocks.push_back({author, Text{std::string(command), {}}});
    }
    return reading;
  }
  const json::array* items =
      entry.payload == nullptr ? nullptr : find_array(*entry.payload, "outputHistoryItems");
  if (items == nullptr) return reading;
  for (const json::value& value : *items) {
    if (reading.blocks.size() >= google::kMostParts) {
      reading.is_cut_short = true;
      break;
    }
    const json::object* item = value.if_object();
    const std::string_view type =
        item == nullptr ? std::string_view() : find_string(*item, "type").value_or("");
    if (type == "user") continue;  // the command once more
    const std::string_view text =
        item == nullptr ? std::string_view() : find_string(*item, "text").value_or("");
    if (!text.empty()) {
      reading.blocks.push_back({Author::program, Text{std::string(text), {}}});
    } else {
      reading.blocks.push_back(
          {Author::program, transcript::Unknown{.block_type = std::string(type), .raw = value}});
    }
  }
  return reading;
}

// What a forked agent begins with. The history is its parent's once more.
Reading read_bootstrap(const Entry& entry) {
  Reading reading{.skip = "mirror"};
  if (entry.payload == nullptr) return reading;
  if (const json::value* prompt = find_member(*entry.payload, "systemInstruction")) {
    const json::object* content = prompt->if_object();
    const json::value* parts = content == nullptr ? prompt : find_member(*content, "parts");
    if (parts != nullptr) reading.blocks = google::parse_parts(*parts, Author::program).blocks;
  }
  if (const json::array* tools = find_array(*entry.payload, "tools")) {
    constexpr std::size_t kMostTools = 512;
    for (const json::value& tool : *tools) {
      if (reading.tools.size() >= kMostTools) break;
      if (const json::string* name = tool.if_string()) reading.tools.emplace_back(view(*name));
      const json::object* declared = tool.if_object();
      const auto name = declared == nullptr ? std::nullopt : find_string(*declared, "name");
      if (name) reading.tools.emplace_back(*name);
    }
  }
  return reading;
}

}  // namespace

Reading read_system(const Entry& entry) {
  const auto noise = std::ranges::find(kNoise, entry.subtype, &Noise::subtype);
  if (noise != kNoise.end()) return {.skip = noise->reason};
  if (entry.subtype == "ui_telemetry") return read_telemetry(entry);
  if (entry.subtype == "chat_compression") return read_compression(entry);
  if (entry.subtype == "slash_command") return read_command(entry);
  if (entry.subtype == "agent_bootstrap") return read_bootstrap(entry);
  Reading reading;
  if (entry.subtype == "custom_title") {
    reading.title = entry.payload_text("customTitle");
    reading.skip = "title";
    return reading;
  }
  if (entry.subtype == "parent_session") {
    const std::string_view parent = entry.payload_text("parentSessionId");
    if (!parent.empty() && parent.size() <= kMaxPathBytes) reading.parent = parent;
    reading.skip = "internal";
    return reading;
  }
  if (const json::value* parts = entry.parts()) {
    google::Parts parsed = google::parse_parts(*parts, Author::program);
    reading.blocks = std::move(parsed.blocks);
    reading.is_cut_short = parsed.is_cut_short;
  }
  if (!reading.blocks.empty() || entry.payload == nullptr) return reading;
  if (const std::string_view shown = entry.payload_text("displayText"); !shown.empty()) {
    reading.blocks.push_back({Author::program, Text{std::string(shown), {}}});
  } else {
    reading.blocks.push_back(
        {Author::program,
         transcript::Unknown{.block_type = std::string(entry.subtype), .raw = *entry.payload}});
  }
  return reading;
}

}  // namespace weft::formats::qwen

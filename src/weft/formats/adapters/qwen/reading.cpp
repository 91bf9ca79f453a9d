#include "weft/formats/adapters/qwen/reading.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "weft/formats/apis/google/parts.hpp"
#include "weft/formats/reading/members.hpp"
#include "weft/formats/reading/text.hpp"

namespace weft::formats::qwen {
namespace {

using transcript::Author;
using transcript::Text;
using transcript::ToolResult;

google::Parts parts_of(const Entry& entry, Author author) {
  const json::value* parts = entry.parts();
  return parts == nullptr ? google::Parts() : google::parse_parts(*parts, author);
}

// Records of type "user" that no person wrote. What a person says while tools run is theirs.
bool is_of_program(const Entry& entry) {
  constexpr std::array<std::string_view, 7> kSubtypes = {
      "notification",  "cron",          "goal_runtime",       "background_task_completed",
      "agent_mention", "agent_message", "agent_launch_prompt"};
  constexpr std::array<std::string_view, 3> kProvenances = {"system", "goal_runtime",
                                                            "goal_control"};
  return std::ranges::find(kSubtypes, entry.subtype) != kSubtypes.end() ||
         std::ranges::find(kProvenances, entry.provenance) != kProvenances.end();
}

// The text before a person's words that were typed while tools ran.
constexpr std::string_view kMidTurn = "[User message received during tool execution]:";

bool is_context(std::string_view text) {
  constexpr std::array<std::string_view, 5> kBeginnings = {
      "<qwen:", "<system-reminder>", "<session_context>",
      "This is the Qwen Code. We are setting up", "This is Qwen Code. We are setting up"};
  return std::ranges::any_of(kBeginnings,
                             [&](std::string_view begin) { return text.starts_with(begin); });
}

// Of the texts of a prompt: the person's own first, as they were typed; what hooks and files
// added to them is the program's.
std::vector<AuthoredBlock> settle_words(std::vector<AuthoredBlock> blocks, std::string_view typed) {
  std::vector<AuthoredBlock> settled;
  if (!typed.empty()) settled.push_back({Author::human, Text{std::string(typed), {}}});
  google::set_files_apart(blocks);
  for (AuthoredBlock& one : blocks) {
    auto* text = std::get_if<Text>(&one.body);
    if (text != nullptr) {
      const std::string_view words = trim(text->text);
      if (words.empty()) continue;
      if (is_context(words)) {
        one.author = Author::program;
      } else if (!typed.empty() && one.author == Author::human) {
        // The same words, alone or with something around them.
        if (words == trim(typed)) continue;
        if (words.starts_with(kMidTurn) && text->text.ends_with(typed)) continue;
        if (text->text.starts_with(typed)) text->text.erase(0, typed.size());
        one.author = Author::program;
      }
    }
    settled.push_back(std::move(one));
  }
  return settled;
}

// Files that are kept elsewhere, of a message that does not hold them.
void add_references(std::vector<AuthoredBlock>& blocks, const Entry& entry) {
  const auto is_file = [](const AuthoredBlock& one) {
    return std::holds_alternative<transcript::Attachment>(one.body);
  };
  if (entry.payload == nullptr || std::ranges::any_of(blocks, is_file)) return;
  for (const auto& [list, id] : {std::pair("attachmentReferences", "attachmentId"),
                                 std::pair("mediaReferences", "mediaId")}) {
    const json::array* references = find_array(*entry.payload, list);
    if (references == nullptr) continue;
    for (const json::value& value : *references) {
      const json::object* reference = value.if_object();
      if (reference == nullptr || blocks.size() >= google::kMostParts) continue;
      transcript::Attachment file;
      file.kind = find_string(*reference, "type") == "image" ? "image" : "file";
      if (const auto mime = find_string(*reference, "mimeType")) file.mime = *mime;
      if (const auto name = find_string(*reference, id)) file.reference = *name;
      const auto size = find_int(*reference, "size");
      if (size && *size >= 0) file.size = static_cast<std::uint64_t>(*size);
      blocks.push_back({Author::human, std::move(file)});
    }
  }
}

Reading read_user(const Entry& entry, People people) {
  const bool is_program = people == People::no || is_of_program(entry);
  google::Parts parts = parts_of(entry, is_program ? Author::program : Author::human);
  Reading reading{.is_cut_short = parts.is_cut_short};
  const std::string_view shown = entry.payload_text("displayText");
  if (is_program) {
    reading.blocks = std::move(parts.blocks);
    if (reading.blocks.empty() && !shown.empty()) {
      reading.blocks.push_back({Author::program, Text{std::string(shown), {}}});
    }
  } else if (parts.has_responses) {
    reading.blocks = std::move(parts.blocks);
  } else {
    reading.blocks = settle_words(std::move(parts.blocks), shown);
    add_references(reading.blocks, entry);
    reading.is_prompt = true;
  }
  return reading;
}

Reading read_assistant(const Entry& entry) {
  google::Parts parts = parts_of(entry, Author::model);
  return {.blocks = std::move(parts.blocks), .is_answer = true, .is_cut_short = parts.is_cut_short};
}

// What the harness noted of a result beside what the model got: how it ended, what was shown.
void add_notes(ToolResult& result, const json::object& notes) {
  const std::string_view status = find_string(notes, "status").value_or("");
  if (!status.empty()) result.is_error = status == "error" || status == "cancelled";
  google::add_display(result, notes);
  for (const json::key_value_pair& member : notes) {
    constexpr std::array<std::string_view, 5> kElsewhere = {"callId", "status", "resultDisplay",
                                                            "responseParts", "executionStatus"};
    const std::string_view key(member.key());
    const json::object* inner = member.value().if_object();
    const bool is_nothing = member.value().is_null() || (inner != nullptr && inner->empty());
    if (is_nothing || std::ranges::find(kElsewhere, key) != kElsewhere.end()) continue;
    google::add_detail(result, key, member.value());
  }
}

Reading read_result(const Entry& entry) {
  google::Parts parts = parts_of(entry, Author::human);
  Reading reading{
      .blocks = std::move(parts.blocks), .is_answer = true, .is_cut_short = parts.is_cut_short};
  for (AuthoredBlock& block : reading.blocks) {
    if (block.author == Author::human) block.author = Author::program;
  }
  const json::object* notes = find_object(entry.object, "toolCallResult");
  if (notes == nullptr) return reading;
  const std::string_view call = find_string(*notes, "callId").value_or("");
  const auto is_meant = [&](const AuthoredBlock& block) {
    const auto* result = std::get_if<ToolResult>(&block.body);
    return result != nullptr && (result->call_id == call || result->call_id.empty());
  };
  const auto found = std::ranges::find_if(reading.blocks, is_meant);
  if (found != reading.blocks.end()) {
    add_notes(std::get<ToolResult>(found->body), *notes);
  } else if (!parts.has_responses) {
    ToolResult result;
    result.call_id = call;
    result.text = find_string(*notes, "resultDisplay").value_or("");
    add_notes(result, *notes);
    reading.blocks.insert(reading.blocks.begin(), {Author::tool, std::move(result)});
  }
  return reading;
}

// Without what only says where it stands, so that a fork's copy is the same thought.
Reading read_unknown(const Entry& entry) {
  json::object raw = entry.object;
  for (const std::string_view key :
       {"uuid", "parentUuid", "sessionId", "timestamp", "forkedFrom"}) {
    raw.erase(key);
  }
  Reading reading;
  reading.blocks.push_back(
      {Author::program,
       transcript::Unknown{.block_type = std::string(entry.type), .raw = std::move(raw)}});
  return reading;
}

bool is_agent_tool(std::string_view name) { return name == "agent" || name == "task"; }

// The agent that a call started, from what came back from it.
std::optional<std::string> agent_in(const ToolResult& result) {
  constexpr std::string_view kLabel = "task_id: ";
  if (!is_agent_tool(result.name)) return std::nullopt;
  const std::size_t at = result.text.find(kLabel);
  if (at == std::string::npos) return std::nullopt;
  const std::string_view rest = std::string_view(result.text).substr(at + kLabel.size());
  const std::string_view id = rest.substr(0, rest.find_first_of(" \r\n"));
  if (id.empty() || id.size() > kMaxIdBytes) return std::nullopt;
  return std::string(id);
}

}  // namespace

Reading read_entry(const Entry& entry, People people) {
  Reading reading;
  if (entry.type == "user") reading = read_user(entry, people);
  else if (entry.type == "assistant") reading = read_assistant(entry);
  else if (entry.type == "tool_result") reading = read_result(entry);
  else if (entry.type == "system") reading = read_system(entry);
  else reading = read_unknown(entry);
  if (reading.blocks.empty() && reading.skip.empty()) reading.skip = "empty";
  return reading;
}

std::optional<transcript::Usage> usage_of(const Entry& entry) {
  const json::object* tokens = find_object(entry.object, "usageMetadata");
  if (tokens == nullptr) return std::nullopt;
  const auto count = [&](std::string_view key, std::string_view early) {
    return count_in(*tokens, tokens->contains(key) ? key : early);
  };
  transcript::Usage usage{.input = count("promptTokenCount", "input"),
                          .output = count("candidatesTokenCount", "output"),
                          .cache_read = count("cachedContentTokenCount", "cached")};
  // Google counts thoughts apart from the answer; other providers have them in it, and then
  // the total is that of the two.
  const bool are_within = count("totalTokenCount", "total") == usage.input + usage.output;
  if (!are_within) usage.output += count("thoughtsTokenCount", "thoughts");
  return usage;
}

std::vector<transcript::Spawned> spawned_in(const std::vector<AuthoredBlock>& blocks) {
  std::vector<transcript::Spawned> spawned;
  for (const AuthoredBlock& one : blocks) {
    if (const auto* call = std::get_if<transcript::ToolCall>(&one.body)) {
      if (is_agent_tool(call->name) && !call->id.empty()) {
        spawned.push_back({.call_id = call->id, .agent = {}});
      }
    } else if (const auto* result = std::get_if<ToolResult>(&one.body)) {
      std::optional<std::string> agent = agent_in(*result);
      if (agent && !result->call_id.empty()) {
        spawned.push_back({.call_id = result->call_id, .agent = std::move(agent)});
      }
    }
  }
  return spawned;
}

}  // namespace weft::formats::qwen

// wot_conversation_ingest: ingests a transcript file.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "weft/formats/adapter.hpp"
#include "weft/ingest/discover/confine.hpp"
#include "weft/ingest/report_json.hpp"
#include "weft/mcp/answers/capture_results.hpp"
#include "weft/query/questions.hpp"

namespace weft::mcp {
namespace {

namespace fs = std::filesystem;

// An export contains thousands of conversations, a broken file as many faults: beyond this number
// the rest is only counted.
constexpr std::size_t kListed = 50;
constexpr std::size_t kShownReasons = 5;

std::vector<fs::path> roots_of(const ServerContext& context) {
  std::vector<fs::path> roots = context.allowed;
  for (const ingest::Folder& folder : context.sources.folders) roots.push_back(folder.path);
  roots.insert(roots.end(), context.sources.paths.begin(), context.sources.paths.end());
  return roots;
}

std::string how_to_allow() {
  return "weft reads files in the folders where tools keep their conversations, and in those that "
         "it was started with: weft mcp --allow DIR. The path must be absolute, for example "
         "/home/ada/talk.txt.";
}

// Cuts the list to the first kListed, with its total under `count`.
void cut_list(json::object& answer, std::string_view list, std::string_view count) {
  json::array& entries = answer.at(list).as_array();
  if (entries.size() <= kListed) return;
  answer[count] = entries.size();
  entries.resize(kListed);
}

std::string reasons_in(const json::object& answer) {
  std::string out;
  const json::array& skipped = answer.at("skipped").as_array();
  for (std::size_t i = 0; i < skipped.size() && i < kShownReasons; ++i) {
    const json::object& entry = skipped[i].as_object();
    const std::int64_t line = entry.at("line").to_number<std::int64_t>();
    out += line > 0 ? fmt::format("line {}: ", line) : std::string();
    out += std::string(find_string(entry, "reason").value_or("")) + "\n";
  }
  return out;
}

std::string on_one_line(std::string_view text) {
  std::string out(text);
  std::ranges::replace(out, '\n', ' ');
  return out;
}

std::string render(const json::object& answer) {
  std::string out = fmt::format("Ingested {} new thoughts; {} in all.\n",
                                answer.at("new_thoughts").to_number<std::uint64_t>(),
                                answer.at("thought_count").to_number<std::uint64_t>());
  if (answer.contains("stopped")) out += "It was stopped early: call again for the rest.\n";
  for (const json::value& value : answer.at("conversations").as_array()) {
    const json::object& row = value.as_object();
    const auto session = find_string(row, "session_id").value_or("");
    out += fmt::format("- {} ({} turns, {} thoughts, {} new) {}\n",
                       on_one_line(find_string(row, "title").value_or(session)),
                       row.at("turn_count").to_number<std::uint64_t>(),
                       row.at("thought_count").to_number<std::uint64_t>(),
                       row.at("new_thoughts").to_number<std::uint64_t>(),
                       find_string(row, "conversation_cid").value_or(""));
  }
  if (const auto all = find_member(answer, "conversation_count")) {
    out += fmt::format("… {} conversations in all: wot_conversation_list lists them\n",
                       all->to_number<std::uint64_t>());
  }
  for (const json::value& warning : answer.at("warnings").as_array()) {
    out += "warning: " + std::string(view(warning.as_string())) + "\n";
  }
  const std::string reasons = reasons_in(answer);
  if (!reasons.empty()) out += "Skipped records:\n" + reasons;
  return out + "Search it: wot_thought_search {\"query\": \"…\"}";
}

ingest::Options options_for(Call& call, const fs::path& real) {
  const ServerContext& context = call.context();
  ingest::Options options = context.sources;
  options.paths = {real};
  options.folders.clear();
  options.format = find_text_in(call.arguments(), "format");
  options.excludes_named = true;
  options.may_read = [roots = ingest::real_roots(roots_of(context))](const fs::path& path) {
    return ingest::is_within(path, roots);
  };
  options.stop = call.stop();
  options.progress = [&call](const ingest::Progress& progress) {
    call.progress(static_cast<double>(progress.bytes),
                  static_cast<double>(std::max(progress.bytes, progress.bytes_total)),
                  "bytes read");
  };
  return options;
}

Served<> take_in(Call& call) {
  const auto began = std::chrono::steady_clock::now();
  ServerContext& context = call.context();
  const bool signs = context.keyring != nullptr && context.keyring->can_sign();
  if (context.is_read_only || !signs) return cannot_ingest(context);
  const Result<fs::path> real =
      ingest::confined(text_in(call.arguments(), "transcript_path"), roots_of(context));
  if (!real) return refused("transcript_path: " + real.error().message, how_to_allow());
  std::error_code failed;
  if (!fs::is_regular_file(*real, failed)) {
    return refused("transcript_path: not a readable file", how_to_allow());
  }
  const ingest::Options options = options_for(call, *real);
  Result<ingest::Report> report = ingest::ingest(context.store, *context.keyring, options);
  if (!report) {
    return refused(report.error(), "What was ingested is kept; the same call resumes from there.");
  }
  const auto elapsed = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::steady_clock::now() - began);
  const query::Library library = context.library();
  Result<json::object> ingested = ingest::to_json(
      context.store, *report, elapsed.count(),
      [&](const store::ConversationRow& row) { return describe(library, row).at("title"); });
  if (!ingested) return refused(ingested.error());
  const json::array& conversations = ingested->at("conversations").as_array();
  if (conversations.empty()) {
    return refused("Nothing could be ingested.\n" + reasons_in(*ingested),
                   "Another format may be named with \"format\".");
  }
  // The requested conversation comes first.
  json::object answer{{"conversation_cid", conversations[0].as_object().at("conversation_cid")},
                      {"thought_count", ingested->at("thought_count")}};
  for (auto& member : *ingested) answer.emplace(member.key(), std::move(member.value()));
  cut_list(answer, "conversations", "conversation_count");
  cut_list(answer, "skipped", "skipped_count");
  return tool_result(call, std::move(answer), render);
}

std::vector<std::string_view> format_names() {
  std::vector<std::string_view> names;
  for (const formats::Adapter* adapter : formats::all_adapters()) names.push_back(adapter->name);
  return names;
}

}  // namespace

const Tool& wot_conversation_ingest_tool() {
  static const Tool tool = {
      .name = "wot_conversation_ingest",
      .title = "Ingest a transcript",
      .description =
          R"(Ingests a transcript file in the folder of a known tool, or allowed at the start (--allow DIR). Files of known tools are ingested by themselves. For a conversation without a file use wot_capture_start.)",
      .parameters = {{.name = "transcript_path",
                      .description = "Absolute, on the machine of weft.",
                      .is_required = true,
                      .longest = 4096},
                     {.name = "format",
                      .description = "Detected by default.",
                      .one_of = format_names()}},
      .example = R"({"transcript_path": "/home/ada/transcripts/beans.txt"})",
      .output_schema = R"({"type": "object", "properties": {
  "conversation_cid": {"type": "string", "description": "the first, or only, conversation of the file"},
  "thought_count": {"type": "integer", "description": "in all conversations of the file, old and new"},
  "conversations": {"type": "array", "items": {"type": "object", "properties": {
    "conversation_cid": {"type": "string"}, "session_id": {"type": "string"},
    "format": {"type": "string"}, "title": {"type": ["string", "null"]},
    "turn_count": {"type": "integer"}, "thought_count": {"type": "integer"},
    "new_thoughts": {"type": "integer"}}}},
  "conversation_count": {"type": "integer", "description": "number of them, if not all are listed"},
  "files": {"type": "integer"}, "bytes": {"type": "integer"},
  "new_thoughts": {"type": "integer"},
  "skipped": {"type": "array", "items": {"type": "object", "properties": {
    "file": {"type": "string"}, "line": {"type": "integer"}, "reason": {"type": "string"},
    "count": {"type": "integer"}}}},
  "skipped_count": {"type": "integer", "description": "number of them, if not all are listed"},
  "warnings": {"type": "array", "items": {"type": "string"}},
  "elapsed_ms": {"type": "integer"},
  "stopped": {"type": "boolean", "description": "stopped early: the same call resumes"}},
  "required": ["conversation_cid", "thought_count", "conversations", "new_thoughts", "skipped", "warnings"]})",
      .hints = {.is_read_only = false},
      .pace = Tool::Pace::slow,
      .call = take_in,
  };
  return tool;
}

}  // namespace weft::mcp

// The smallest session that Claude Code continues: records in a chain of parents, each with the
// session, the folder, the version and a time. An answer has a message id and a model, and counts
// no tokens: those were counted where it was made.
#include "weft/formats/agent.hpp"

#include <utility>

#include "weft/formats/adapters/claude_code/places.hpp"
#include "weft/formats/writing/anthropic_message_parts.hpp"
#include "weft/formats/writing/session_dialogue.hpp"

namespace weft::formats::claude_code {
namespace {

using transcript::Author;
using transcript::Block;

constexpr std::string_view kVersion = "2.1.325";  // of the records that are written here
constexpr std::string_view kNoModel = "unknown";
constexpr std::size_t kMaxCallId = 64;
// Four bytes are about a token, and its smallest context has 200,000 of them.
constexpr std::uint64_t kMostBytes = 600'000;

class SessionFile {
 public:
  explicit SessionFile(const NewSession& session) : session_(session), time_(session.now) {}

  void add(const Dialogue::Message& message) {
    if (message.side == Side::assistant) {
      add_answer(message);
      return;
    }
    json::array results;
    for (const Dialogue::AuthoredBlock& one : message.blocks) {
      if (one.block == nullptr) {
        results.push_back(anthropic::missing_result(one.call_id));
      } else if (is<transcript::ToolResult>(*one.block)) {
        note_time(*one.block);
        if (auto json = anthropic::foreign_block(*one.block, one.call_id)) {
          results.push_back(std::move(*json));
        }
      }
    }
    if (!results.empty()) add_user(std::move(results), Author::tool);
    for (const Dialogue::AuthoredBlock& one : message.blocks) {
      if (one.block == nullptr || is<transcript::ToolResult>(*one.block)) continue;
      note_time(*one.block);
      auto json = anthropic::foreign_block(*one.block, {});
      if (json) add_user({std::move(*json)}, one.block->author);
    }
  }

  void add_user(json::array content, Author author) {
    json::object record = envelope("user");
    record["message"] = {{"role", "user"}, {"content", std::move(content)}};
    if (author == Author::program) record["isMeta"] = true;
    add_line(record);
  }

  std::string take() { return std::move(text_); }
  bool is_empty() const { return text_.empty(); }

 private:
  void add_answer(const Dialogue::Message& message) {
    json::array content;
    std::string model(kNoModel);
    bool has_calls = false;
    for (const Dialogue::AuthoredBlock& one : message.blocks) {
      auto json = anthropic::foreign_block(*one.block, one.call_id);
      if (!json) continue;
      note_time(*one.block);
      if (one.block->model) model = *one.block->model;
      has_calls = has_calls || is<transcript::ToolCall>(*one.block);
      content.push_back(std::move(*json));
    }
    if (content.empty()) return;
    if (is_empty())
      add_user({json::object{{"type", "text"}, {"text", kNoBeginning}}}, Author::program);
    json::object record = envelope("assistant");
    record["message"] = {{"id", "msg_" + numbered_uuid(session_.id, lines_)},
                         {"type", "message"},
                         {"role", "assistant"},
                         {"model", model},
                         {"content", std::move(content)},
                         {"stop_reason", has_calls ? "tool_use" : "end_turn"},
                         {"stop_sequence", nullptr},
                         {"usage", json::object{{"input_tokens", 0}, {"output_tokens", 0}}}};
    add_line(record);
  }

  json::object envelope(std::string_view type) {
    json::object record{
        {"parentUuid", nullptr}, {"isSidechain", false},     {"userType", "external"},
        {"cwd", session_.cwd},   {"sessionId", session_.id}, {"version", kVersion},
        {"type", type}};
    if (!parent_.empty()) record["parentUuid"] = parent_;
    return record;
  }

  void add_line(json::object& record) {
    parent_ = numbered_uuid(session_.id, ++lines_);
    record["uuid"] = parent_;
    record["timestamp"] = to_iso8601(time_);
    append_canonical(text_, record);
    text_ += '\n';
  }

  void note_time(const Block& block) {
    if (block.start && *block.start > 0) time_ = *block.start;
  }

  const NewSession& session_;
  Millis time_;
  std::string text_, parent_;
  std::uint64_t lines_ = 0;
};

Result<NativeSession> write(const transcript::Conversation& conversation,
                            const NewSession& session) {
  const std::vector<std::string> found = folders(session.environment);
  if (found.empty()) {
    return fail(ErrorCode::not_found,
                "finding Claude Code's folder: neither HOME nor CLAUDE_CONFIG_DIR is set");
  }
  Notes notes;
  const Dialogue dialogue = lay_out_session(
      conversation,
      {.family = "anthropic",
       .id_bytes = kMaxCallId,
       .takes = [](const auto& file) { return anthropic::foreign_attachment(file).has_value(); }},
      notes);
  SessionFile file(session);
  for (const Dialogue::Message& message : dialogue.messages) file.add(message);
  if (file.is_empty()) {
    return fail(ErrorCode::invalid_input, "writing a session: nothing in it can be sent");
  }
  return NativeSession{
      .path = found.front() + "/" + project_folder(session.cwd) + "/" + session.id + ".jsonl",
      .text = file.take(),
      .command = {"claude", "--resume", session.id},
      .notes = notes.lines()};
}

}  // namespace
}  // namespace weft::formats::claude_code

namespace weft::formats {

const Agent& claude_agent() {
  static constexpr Agent agent{.name = "claude",
                               .format = "claude-code",
                               .family = "anthropic",
                               .most_bytes = claude_code::kMostBytes,
                               .write = claude_code::write};
  return agent;
}

}  // namespace weft::formats

// The smallest file that `gemini --session-file` continues. What the model said is one message: its
// content has the parts in order, calls included, and each call stands once more in a list with its
// result.
#include "weft/formats/agent.hpp"

#include <map>
#include <utility>

#include "weft/base/hex.hpp"
#include "weft/crypto/sha2.hpp"
#include "weft/formats/writing/session_dialogue.hpp"

namespace weft::formats::gemini {
namespace {

using transcript::Attachment;
using transcript::Author;
using transcript::Block;
using transcript::Thinking;
using transcript::ToolCall;
using transcript::ToolResult;

constexpr std::string_view kFamily = "google";
constexpr std::size_t kMaxName = 64;
constexpr std::size_t kMaxCallId = 64;
// Four bytes are about a token, and its models have a million of them.
constexpr std::uint64_t kMostBytes = 3'000'000;

bool is_binary(const Attachment& file) {
  return file.data && !file.data->empty() && file.mime && !file.mime->empty();
}

bool takes(const Attachment& file) { return is_binary(file) || (file.text && !file.text->empty()); }

std::string name_of(const ToolCall& call) {
  std::string name = plain_name(call.name, kMaxName);
  return name.empty() ? "tool" : name;
}

class SessionFile {
 public:
  explicit SessionFile(const NewSession& session) : session_(session), time_(session.now) {}

  // `answers` follows an answer's message; null if nothing does.
  void add(const Dialogue::Message& message, const Dialogue::Message* answers) {
    if (message.side == Side::assistant) {
      add_answer(message, answers);
      return;
    }
    for (const Dialogue::AuthoredBlock& one : message.blocks) {
      if (one.block != nullptr && !is<ToolResult>(*one.block)) add_prompt(*one.block);
    }
  }

  bool is_empty() const { return messages_.empty(); }

  std::string take() {
    std::string text;
    append_canonical(text, json::object{{"sessionId", session_.id},
                                        {"projectHash", to_hex(crypto::sha256(session_.cwd))},
                                        {"startTime", to_iso8601(session_.now)},
                                        {"lastUpdated", to_iso8601(session_.now)},
                                        {"kind", "main"}});
    text += '\n';
    for (const json::object& message : messages_) {
      append_canonical(text, message);
      text += '\n';
    }
    return text;
  }

 private:
  json::object message(std::string_view type) {
    return {{"id", numbered_uuid(session_.id, messages_.size() + 1)},
            {"timestamp", to_iso8601(time_)},
            {"type", type}};
  }

  void note_time(const Block& block) {
    if (block.start && *block.start > 0) time_ = *block.start;
  }

  void add_prompt(const Block& block) {
    note_time(block);
    const auto* file = std::get_if<Attachment>(&block.body);
    json::object part{{"text", words_in(block)}};
    if (file != nullptr && is_binary(*file)) {
      part = {{"inlineData", json::object{{"mimeType", *file->mime}, {"data", *file->data}}}};
    }
    json::object prompt = message("user");
    prompt["content"] = json::array{std::move(part)};
    messages_.push_back(std::move(prompt));
  }

  void add_answer(const Dialogue::Message& said, const Dialogue::Message* answers) {
    std::map<std::string, const ToolResult*> results;  // by the id of the call
    if (answers != nullptr) {
      for (const Dialogue::AuthoredBlock& one : answers->blocks) {
        if (one.call_id.empty()) continue;
        results[one.call_id] =
            one.block == nullptr ? nullptr : &std::get<ToolResult>(one.block->body);
      }
    }
    json::array parts, calls;
    std::string model;
    for (const Dialogue::AuthoredBlock& one : said.blocks) {
      note_time(*one.block);
      if (one.block->model) model = *one.block->model;
      if (const auto* call = std::get_if<ToolCall>(&one.block->body)) {
        parts.push_back(
            json::object{{"functionCall", json::object{{"id", one.call_id},
                                                       {"name", name_of(*call)},
                                                       {"args", arguments_in(*call)}}}});
        calls.push_back(call_json(*call, one.call_id, results[one.call_id]));
      } else if (auto part = part_of(*one.block)) {
        parts.push_back(std::move(*part));
      }
    }
    if (parts.empty()) return;
    if (is_empty())
      add_prompt(
          {.author = Author::human, .body = transcript::Text{std::string(kNoBeginning), {}}});
    json::object answer = message("gemini");
    answer["content"] = std::move(parts);
    if (!model.empty()) answer["model"] = model;
    if (!calls.empty()) answer["toolCalls"] = std::move(calls);
    messages_.push_back(std::move(answer));
  }

  static std::optional<json::object> part_of(const Block& block) {
    if (const auto* thinking = std::get_if<Thinking>(&block.body)) {
      return json::object{
          {"text", thinking->text}, {"thought", true}, {"thoughtSignature", *thinking->signature}};
    }
    const std::string_view words = words_in(block);
    if (words.empty()) return std::nullopt;
    return json::object{{"text", words}};
  }

  // `result` is null if none was recorded.
  json::object call_json(const ToolCall& call, const std::string& id,
                         const ToolResult* result) const {
    const bool is_error = result == nullptr || result->is_error;
    const std::string text = result == nullptr ? std::string(kNoResult) : result_text(*result);
    json::object response{{"id", id},
                          {"name", name_of(call)},
                          {"response", json::object{{is_error ? "error" : "output", text}}}};
    return {{"id", id},
            {"name", name_of(call)},
            {"args", arguments_in(call)},
            {"status", is_error ? "error" : "success"},
            {"timestamp", to_iso8601(time_)},
            {"result", json::array{json::object{{"functionResponse", std::move(response)}}}}};
  }

  const NewSession& session_;
  Millis time_;
  std::vector<json::object> messages_;
};

// Gemini CLI takes such words for commands to itself.
bool is_passed_over(const Block& block) {
  const std::string_view words = words_in(block);
  const std::size_t at = words.find_first_not_of(" \t\r\n");
  return at != std::string_view::npos && (words[at] == '/' || words[at] == '?');
}

Result<NativeSession> write(const transcript::Conversation& conversation,
                            const NewSession& session) {
  std::string home = session.environment("GEMINI_CLI_HOME").value_or("");
  if (home.empty()) home = session.environment("HOME").value_or("");
  if (home.empty()) {
    return fail(ErrorCode::not_found,
                "finding Gemini CLI's folder: neither HOME nor GEMINI_CLI_HOME is set");
  }
  Notes notes;
  const Dialogue dialogue = lay_out_session(
      conversation, {.family = kFamily, .id_bytes = kMaxCallId, .takes = takes}, notes);
  SessionFile file(session);
  const auto& messages = dialogue.messages;
  for (std::size_t i = 0; i < messages.size(); ++i) {
    file.add(messages[i], i + 1 < messages.size() ? &messages[i + 1] : nullptr);
    if (messages[i].side == Side::assistant) continue;
    for (const Dialogue::AuthoredBlock& one : messages[i].blocks) {
      const bool is_words = one.block != nullptr && !is<ToolResult>(*one.block);
      if (is_words && is_passed_over(*one.block)) {
        notes.count("text that Gemini CLI takes for a command and does not send");
      }
    }
  }
  if (file.is_empty()) {
    return fail(ErrorCode::invalid_input, "writing a session: nothing in it can be sent");
  }
  const std::string path = home + "/.gemini/weft/" + session.id + ".jsonl";
  return NativeSession{.path = path,
                       .text = file.take(),
                       .command = {"gemini", "--session-file", path},
                       .notes = notes.lines()};
}

}  // namespace
}  // namespace weft::formats::gemini

namespace weft::formats {

const Agent& gemini_agent() {
  static constexpr Agent agent{.name = "gemini",
                               .format = "gemini",
                               .family = gemini::kFamily,
                               .most_bytes = gemini::kMostBytes,
                               .write = gemini::write};
  return agent;
}

}  // namespace weft::formats

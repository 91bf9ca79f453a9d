// The smallest rollout that Codex continues: a header, and response items, which are what its model
// is sent. A person's words have an event beside them, from which Codex shows them.
#include "weft/formats/agent.hpp"

#include <algorithm>
#include <utility>

#include "weft/formats/reading/text.hpp"
#include "weft/formats/writing/openai_message_parts.hpp"
#include "weft/formats/writing/session_dialogue.hpp"

namespace weft::formats::codex {
namespace {

using transcript::Attachment;
using transcript::Author;
using transcript::Block;
using transcript::ToolCall;
using transcript::ToolResult;

constexpr std::string_view kVersion = "0.166.0";  // of the records that are written here
constexpr std::string_view kFamily = "openai";
constexpr std::size_t kMaxCallId = 64;
// Four bytes are about a token, and its models have 272,000 and more of them.
constexpr std::uint64_t kMostBytes = 800'000;

std::optional<json::object> image_part(const Attachment& file) {
  const std::optional<json::object> part = openai::attachment_part(file);
  const json::object* image = part ? find_object(*part, "image_url") : nullptr;
  const auto url = image == nullptr ? std::nullopt : find_string(*image, "url");
  if (!url) return std::nullopt;
  return json::object{{"type", "input_image"}, {"image_url", *url}};
}

bool takes(const Attachment& file) {
  return image_part(file).has_value() || (file.text && !file.text->empty());
}

// "2026-02-01T14-42-13" and "2026/02/01".
std::string in_a_name(Millis time) {
  std::string text = to_iso8601(time).substr(0, 19);
  text[13] = text[16] = '-';
  return text;
}
std::string day_of(Millis time) {
  std::string text = to_iso8601(time).substr(0, 10);
  text[4] = text[7] = '/';
  return text;
}

class Rollout {
 public:
  explicit Rollout(const NewSession& session) : session_(session), time_(session.now) {}

  // It names no provider: Codex refuses a session of another one than it is set up for.
  void begin() {
    add("session_meta", {{"id", session_.id},
                         {"timestamp", to_iso8601(session_.now)},
                         {"cwd", session_.cwd},
                         {"originator", "weft"},
                         {"cli_version", kVersion},
                         {"source", "cli"}});
  }

  void add(const Dialogue::AuthoredBlock& one) {
    if (one.block == nullptr) {
      add_item({{"type", "function_call_output"}, {"call_id", one.call_id}, {"output", kNoResult}});
      return;
    }
    const Block& block = *one.block;
    if (block.start && *block.start > 0) time_ = *block.start;
    if (is<ToolCall>(block)) add_call(std::get<ToolCall>(block.body), one.call_id);
    else if (is<ToolResult>(block)) add_result(std::get<ToolResult>(block.body), one.call_id);
    else if (is<transcript::Thinking>(block) || is<transcript::RedactedThinking>(block)) {
      add_reasoning(block);
    } else {
      add_words(block);
    }
  }

  std::string take() { return std::move(text_); }
  bool is_empty() const { return items_ == 0; }

 private:
  // What a person wrote in their own form, such as a patch, is the input itself.
  void add_call(const ToolCall& call, const std::string& id) {
    std::string name = plain_name(call.name, openai::kMaxToolNameBytes);
    if (name.empty()) name = "tool";
    if (const json::string* input = call.input.if_string()) {
      custom_.push_back(id);
      add_item({{"type", "custom_tool_call"}, {"call_id", id}, {"name", name}, {"input", *input}});
      return;
    }
    add_item({{"type", "function_call"},
              {"name", name},
              {"arguments", canonical_json(arguments_in(call))},
              {"call_id", id}});
  }

  void add_result(const ToolResult& result, const std::string& id) {
    const bool is_custom = std::ranges::find(custom_, id) != custom_.end();
    add_item({{"type", is_custom ? "custom_tool_call_output" : "function_call_output"},
              {"call_id", id},
              {"output", result_text(result)}});
  }

  void add_reasoning(const Block& block) {
    json::array summary;
    std::string_view data;
    if (const auto* thinking = std::get_if<transcript::Thinking>(&block.body)) {
      for (const std::string& text : thinking->summaries) {
        summary.push_back(json::object{{"type", "summary_text"}, {"text", text}});
      }
      data = *thinking->signature;
    } else {
      data = std::get<transcript::RedactedThinking>(block.body).data;
    }
    add_item({{"type", "reasoning"}, {"summary", std::move(summary)}, {"encrypted_content", data}});
  }

  void add_words(const Block& block) {
    const bool is_answer = block.author == Author::model && is<transcript::Text>(block);
    const std::string_view role = is_answer                         ? "assistant"
                                  : block.author == Author::program ? "developer"
                                                                    : "user";
    const auto* file = std::get_if<Attachment>(&block.body);
    std::optional<json::object> image = file == nullptr ? std::nullopt : image_part(*file);
    const std::string_view words = words_in(block);
    if (!image && words.empty()) return;
    const bool is_shown = !image && block.author != Author::program;
    json::object part =
        image ? *std::move(image)
              : json::object{{"type", is_answer ? "output_text" : "input_text"}, {"text", words}};
    add_item({{"type", "message"}, {"role", role}, {"content", json::array{std::move(part)}}});
    if (!is_shown) return;
    json::object event{{"type", is_answer ? "agent_message" : "user_message"}, {"message", words}};
    if (!is_answer) event["kind"] = "plain";
    add("event_msg", std::move(event));
  }

  void add_item(json::object item) {
    ++items_;
    add("response_item", std::move(item));
  }

  void add(std::string_view type, json::object payload) {
    append_canonical(text_, json::object{{"timestamp", to_iso8601(time_)},
                                         {"type", type},
                                         {"payload", std::move(payload)}});
    text_ += '\n';
  }

  const NewSession& session_;
  Millis time_;
  std::string text_;
  std::vector<std::string> custom_;  // ids of calls whose input is a text
  std::uint64_t items_ = 0;
};

Result<NativeSession> write(const transcript::Conversation& conversation,
                            const NewSession& session) {
  std::string root = session.environment("CODEX_HOME").value_or("");
  const std::string home = session.environment("HOME").value_or("");
  if (root.empty() && !home.empty()) root = home + "/.codex";
  if (root.empty()) {
    return fail(ErrorCode::not_found, "finding Codex's folder: neither HOME nor CODEX_HOME is set");
  }
  Notes notes;
  const Dialogue dialogue = lay_out_session(
      conversation, {.family = kFamily, .id_bytes = kMaxCallId, .takes = takes}, notes);
  Rollout rollout(session);
  rollout.begin();
  for (const Dialogue::Message& message : dialogue.messages) {
    for (const Dialogue::AuthoredBlock& one : message.blocks) rollout.add(one);
  }
  if (rollout.is_empty()) {
    return fail(ErrorCode::invalid_input, "writing a session: nothing in it can be sent");
  }
  return NativeSession{.path = root + "/sessions/" + day_of(session.now) + "/rollout-" +
                               in_a_name(session.now) + "-" + session.id + ".jsonl",
                       .text = rollout.take(),
                       .command = {"codex", "resume", session.id},
                       .notes = notes.lines()};
}

}  // namespace
}  // namespace weft::formats::codex

namespace weft::formats {

const Agent& codex_agent() {
  static constexpr Agent agent{.name = "codex",
                               .format = "codex",
                               .family = codex::kFamily,
                               .most_bytes = codex::kMostBytes,
                               .write = codex::write};
  return agent;
}

}  // namespace weft::formats

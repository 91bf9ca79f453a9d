// Messages of the third generation: rows of `session_message`, each of one type, an answer whole
// with its content in it.
#include <utility>

#include "weft/formats/adapters/opencode/parts.hpp"
#include "weft/formats/reading/members.hpp"

namespace weft::formats::opencode {
namespace {

using transcript::Author;
using transcript::Text;
using transcript::ToolCall;
using transcript::ToolResult;

void add_words(Reading& reading, Author author, std::string text) {
  if (text.empty()) return;
  reading.blocks.push_back({.author = author, .body = Text{.text = std::move(text)}});
}

void add_tool(Reading& reading, const json::object& item) {
  static const json::object kNoState;
  const json::object* found = find_object(item, "state");
  const json::object& state = found == nullptr ? kNoState : *found;
  const std::string_view status = find_string(state, "status").value_or("");
  const json::object* time = find_object(item, "time");
  const std::string id = text_in(item, "id"), name = text_in(item, "name");
  ToolCall call{.id = id, .name = name, .input = json::object{}};
  if (const json::value* input = find_member(state, "input");
      input != nullptr && !input->is_null()) {
    call.input = *input;
  }
  AuthoredBlock asked{.author = Author::model, .body = std::move(call)};
  if (time != nullptr) {
    asked.start = find_time(*time, "ran");
    if (!asked.start) asked.start = find_time(*time, "created");
  }
  reading.blocks.push_back(std::move(asked));
  const json::object* structured = find_object(state, "structured");
  const auto child = structured == nullptr ? std::nullopt : find_string(*structured, "sessionID");
  if (child && !child->empty()) {
    reading.spawned.push_back({.call_id = id, .agent = std::string(*child)});
  }
  if (status != "completed" && status != "error") return;
  ToolResult result{.call_id = id, .name = name, .is_error = status == "error"};
  std::vector<AuthoredBlock> files;
  const json::array* content = find_array(state, "content");
  for (const json::value& piece : content == nullptr ? json::array{} : *content) {
    const json::object* object = piece.if_object();
    if (object == nullptr) continue;
    if (find_string(*object, "type") == "file") {
      files.push_back({.author = Author::tool, .body = attachment_of(*object)});
      continue;
    }
    if (!result.text.empty()) result.text += "\n";
    result.text += find_string(*object, "text").value_or("");
  }
  const json::value* error = find_member(state, "error");
  if (error != nullptr && result.text.empty()) {
    result.text = std::get<transcript::Failure>(failure_of(*error).body).text;
  }
  if (result.text.empty()) result.text = text_in(state, "result");
  if (structured != nullptr && !structured->empty()) result.details = *structured;
  AuthoredBlock answered{.author = Author::tool, .body = std::move(result)};
  if (time != nullptr) answered.start = find_time(*time, "completed");
  reading.blocks.push_back(std::move(answered));
  for (AuthoredBlock& file : files) reading.blocks.push_back(std::move(file));
}

Reading read_answer(const json::object& row) {
  Reading reading;
  const json::array* content = find_array(row, "content");
  for (const json::value& item : content == nullptr ? json::array{} : *content) {
    const json::object* object = item.if_object();
    const std::string_view type =
        object == nullptr ? "" : find_string(*object, "type").value_or("");
    if (type == "text") {
      add_words(reading, Author::model, text_in(*object, "text"));
    } else if (type == "reasoning") {
      auto thought = thought_of(find_string(*object, "text").value_or(""),
                                find_object(*object, "providerMetadata"));
      if (thought) reading.blocks.push_back(*std::move(thought));
    } else if (type == "tool") {
      add_tool(reading, *object);
    } else {
      reading.blocks.push_back(
          {.author = Author::model,
           .body = transcript::Unknown{.block_type = std::string(type), .raw = item}});
    }
  }
  const json::value* error = find_member(row, "error");
  if (error != nullptr && !error->is_null()) reading.blocks.push_back(failure_of(*error));
  return reading;
}

Reading read_prompt(const json::object& row, Author author) {
  Reading reading;
  add_words(reading, author, text_in(row, "text"));
  const json::array* files = find_array(row, "files");
  for (const json::value& file : files == nullptr ? json::array{} : *files) {
    if (const json::object* object = file.if_object()) {
      reading.blocks.push_back({.author = author, .body = attachment_of(*object)});
    }
  }
  return reading;
}

// A command that the person ran: theirs to ask, its tool's to answer.
Reading read_shell(const json::object& row, Author author) {
  Reading reading;
  add_words(reading, author, "!" + text_in(row, "command"));
  const std::string call = text_in(row, "callID");
  ToolResult result{.call_id = call, .name = "shell", .text = text_in(row, "output")};
  reading.blocks.push_back({.author = Author::tool, .body = std::move(result)});
  return reading;
}

}  // namespace

Reading read_row(const json::object& row, const Voice& voice) {
  const std::string_view type = find_string(row, "type").value_or("");
  Reading reading;
  if (type == "user") {
    reading = read_prompt(row, voice.author);
  } else if (type == "assistant") {
    reading = read_answer(row);
  } else if (type == "synthetic" || type == "system") {
    add_words(reading, Author::program, text_in(row, "text"));
  } else if (type == "shell") {
    reading = read_shell(row, voice.author);
  } else if (type == "compaction") {
    const std::string summary = text_in(row, "summary");
    if (summary.empty()) return {.skip = "compact-boundary"};
    reading.blocks.push_back(
        {.author = Author::model, .body = transcript::Compaction{.summary = summary}});
  } else if (type == "agent-switched" || type == "model-switched") {
    return {.skip = "internal"};
  } else {
    reading.blocks.push_back(
        {.author = Author::program,
         .body = transcript::Unknown{.block_type = std::string(type), .raw = row}});
  }
  if (reading.blocks.empty()) reading.skip = "empty";
  return reading;
}

}  // namespace weft::formats::opencode

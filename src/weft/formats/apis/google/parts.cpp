#include "weft/formats/apis/google/parts.hpp"
#include "weft/formats/reading/members.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace weft::formats::google {
namespace {

using transcript::Attachment;
using transcript::Author;
using transcript::Body;
using transcript::Text;
using transcript::Thinking;
using transcript::ToolCall;
using transcript::ToolResult;
using transcript::Unknown;

// A string as it is, anything else as JSON.
std::string blocks_in(const json::value* value) {
  if (value == nullptr || value->is_null()) return {};
  if (const json::string* text = value->if_string()) return std::string(view(*text));
  return canonical_json(*value);
}

// {"mimeType":"image/png","data":"…"} or {"mimeType":…,"fileUri":"…"}
Attachment attachment_of(const json::object& file) {
  Attachment attachment{.kind = "file",
                        .name = find_words(file, "displayName"),
                        .mime = find_words(file, "mimeType"),
                        .text = {},
                        .data = find_words(file, "data"),
                        .reference = find_words(file, "fileUri"),
                        .size = {},
                        .extra = {}};
  const std::string_view mime = attachment.mime ? std::string_view(*attachment.mime) : "";
  if (mime.starts_with("image/")) attachment.kind = "image";
  if (mime == "application/pdf" || mime.starts_with("text/")) attachment.kind = "document";
  return attachment;
}

ToolCall call_of(const json::object& call) {
  const json::value* input = find_member(call, "args");
  return {.id = text_in(call, "id"),
          .name = text_in(call, "name"),
          .input = input == nullptr ? json::value(json::object()) : *input,
          .description = {},
          .display_text = {}};
}

// Code that the provider itself ran. It has no id: the result is that of the call before.
constexpr std::string_view kCodeTool = "code_execution";

ToolResult code_result_of(const json::object& ran) {
  const std::string_view outcome = find_string(ran, "outcome").value_or("OUTCOME_OK");
  ToolResult result{.call_id = {},
                    .name = std::string(kCodeTool),
                    .text = text_in(ran, "output"),
                    .is_error = outcome != "OUTCOME_OK",
                    .uuid = {},
                    .parts = {},
                    .details = {}};
  if (result.is_error) add_detail(result, "outcome", json::value(outcome));
  return result;
}

// A signature belongs to the thought before it, if that has none; else it is one of its own.
void add_signature(std::vector<AuthoredBlock>& blocks, std::string_view signature) {
  if (!blocks.empty()) {
    Thinking* before = std::get_if<Thinking>(&blocks.back().body);
    if (before != nullptr && !before->signature) {
      before->signature = signature;
      return;
    }
  }
  blocks.push_back(
      {Author::model, Thinking{.text = {}, .signature = std::string(signature), .summaries = {}}});
}

void add_part(std::vector<AuthoredBlock>& blocks, const json::value& part, Author words,
              Author files) {
  if (const json::string* text = part.if_string()) {
    if (!text->empty()) blocks.push_back({words, Text{std::string(view(*text)), {}}});
    return;
  }
  const json::object* object = part.if_object();
  if (object == nullptr) {
    if (!part.is_null()) blocks.push_back({words, Unknown{.block_type = "", .raw = part}});
    return;
  }
  const auto signature = find_words(*object, "thoughtSignature");
  const json::value* thought = find_member(*object, "thought");
  const auto text = find_string(*object, "text");
  const bool is_thought = thought != nullptr && (thought->is_string() || *thought == true);
  if (is_thought) {
    // Some write the thought itself where others write that it is one.
    const std::string_view words_of_it = thought->is_string() ? view(thought->get_string()) : "";
    Thinking thinking{
        .text = std::string(text.value_or(words_of_it)), .signature = signature, .summaries = {}};
    if (!thinking.text.empty() || signature) blocks.push_back({Author::model, std::move(thinking)});
    return;
  }
  if (signature) add_signature(blocks, *signature);
  if (text) {
    if (!text->empty()) blocks.push_back({words, Text{std::string(*text), {}}});
  } else if (const json::object* call = find_object(*object, "functionCall")) {
    blocks.push_back({Author::model, call_of(*call)});
  } else if (const json::object* response = find_object(*object, "functionResponse")) {
    blocks.push_back({Author::tool, parse_response(*response)});
  } else if (const json::object* data = find_object(*object, "inlineData")) {
    blocks.push_back({files, attachment_of(*data)});
  } else if (const json::object* file = find_object(*object, "fileData")) {
    blocks.push_back({files, attachment_of(*file)});
  } else if (const json::object* code = find_object(*object, "executableCode")) {
    blocks.push_back({Author::model, ToolCall{.id = {},
                                              .name = std::string(kCodeTool),
                                              .input = *code,
                                              .description = {},
                                              .display_text = {}}});
  } else if (const json::object* ran = find_object(*object, "codeExecutionResult")) {
    blocks.push_back({Author::tool, code_result_of(*ran)});
  } else if (!object->empty() && !(signature && object->size() == 1)) {
    const std::string type(object->begin()->key());
    blocks.push_back({words, Unknown{.block_type = type, .raw = part}});
  }
}

bool is_response(const json::value& part) {
  const json::object* object = part.if_object();
  return object != nullptr && find_object(*object, "functionResponse") != nullptr;
}

}  // namespace

Parts parse_parts(const json::value& content, Author author) {
  Parts parts;
  const json::array* list = content.if_array();
  const std::size_t count = list == nullptr ? 1 : list->size();
  const auto at = [&](std::size_t i) -> const json::value& {
    return list == nullptr ? content : (*list)[i];
  };
  for (std::size_t i = 0; i < count && !parts.has_responses; ++i) {
    parts.has_responses = is_response(at(i));
  }
  const bool is_reply = parts.has_responses && author == Author::human;
  const Author words = is_reply ? Author::program : author;
  const Author files = is_reply ? Author::tool : author;
  for (std::size_t i = 0; i < count; ++i) {
    if (parts.blocks.size() >= kMostParts) {
      parts.is_cut_short = true;
      break;
    }
    add_part(parts.blocks, at(i), words, files);
  }
  return parts;
}

ToolResult parse_response(const json::object& part) {
  ToolResult result{.call_id = text_in(part, "id"),
                    .name = text_in(part, "name"),
                    .text = {},
                    .is_error = false,
                    .uuid = {},
                    .parts = {},
                    .details = {}};
  if (const json::array* files = find_array(part, "parts"); files != nullptr && !files->empty()) {
    result.parts = *files;
  }
  const json::value* response = find_member(part, "response");
  const json::object* object = response == nullptr ? nullptr : response->if_object();
  if (object == nullptr) {
    result.text = blocks_in(response);
    return result;
  }
  const json::value* output = find_member(*object, "output");
  const json::value* error = find_member(*object, "error");
  if (output == nullptr && error == nullptr) {
    if (!object->empty()) result.text = canonical_json(*response);
    return result;
  }
  result.text = blocks_in(output);
  std::string failure = blocks_in(error);
  if (failure == "(none)") failure.clear();  // so the shell tool says that there was none
  result.is_error = result.text.empty() && !failure.empty();
  if (!failure.empty()) {
    if (!result.text.empty()) result.text += '\n';
    result.text += failure;
  }
  json::object rest = *object;
  rest.erase("output");
  rest.erase("error");
  if (!rest.empty()) add_detail(result, "response", rest);
  return result;
}

void add_detail(ToolResult& result, std::string_view key, const json::value& value) {
  if (!result.details) result.details = json::object();
  result.details->as_object()[key] = value;
}

void add_display(ToolResult& result, const json::object& holder) {
  const json::value* shown = find_member(holder, "resultDisplay");
  if (shown == nullptr || shown->is_null()) return;
  if (const json::string* text = shown->if_string()) {
    if (text->empty() || view(*text) == result.text) return;
  }
  add_detail(result, "resultDisplay", *shown);
}

void set_files_apart(std::vector<AuthoredBlock>& blocks) {
  constexpr std::string_view kBegin = "--- Content from referenced files ---";
  bool is_of_files = false;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    Text* text = std::get_if<Text>(&blocks[i].body);
    if (text == nullptr || blocks[i].author != Author::human) continue;
    if (!is_of_files) {
      const std::size_t at = text->text.find(kBegin);
      if (at == std::string::npos) continue;
      is_of_files = true;
      if (text->text.find_first_not_of(" \t\r\n") < at) {
        AuthoredBlock files{Author::program, Text{text->text.substr(at), {}}};
        text->text.resize(at);
        blocks.insert(blocks.begin() + static_cast<std::ptrdiff_t>(i) + 1, std::move(files));
        continue;
      }
    }
    blocks[i].author = Author::program;
  }
}

std::string text_of(const std::vector<AuthoredBlock>& blocks) {
  std::string all;
  for (const AuthoredBlock& one : blocks) {
    const Text* text = std::get_if<Text>(&one.body);
    if (text == nullptr) continue;
    if (!all.empty()) all += '\n';
    all += text->text;
  }
  return all;
}

}  // namespace weft::formats::google

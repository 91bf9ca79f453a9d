#include "weft/formats/adapters/cline/user.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "weft/formats/adapters/cline/prompt_origin.hpp"
#include "weft/formats/apis/anthropic/blocks.hpp"

namespace weft::formats::cline {
namespace {

using transcript::Attachment;
using transcript::Author;
using transcript::Text;
using transcript::ToolResult;

constexpr std::string_view kFailed = "The tool execution failed";

std::string_view type_of(const json::value& block) {
  if (block.is_string()) return "text";
  const json::object* object = block.if_object();
  return object == nullptr ? "" : find_string(*object, "type").value_or("");
}

std::string_view text_of(const json::value& block) {
  if (block.is_string()) return view(block.get_string());
  const json::object* object = block.if_object();
  return object == nullptr ? "" : find_string(*object, "text").value_or("");
}

// {type:"file", path, content}: a file that the person named with "@".
std::optional<Attachment> parse_file(const json::object& block) {
  const auto path = find_string(block, "path");
  const auto content = find_string(block, "content");
  if (!path || !content) return std::nullopt;
  Attachment file{.kind = "file"};
  file.name = *path;
  file.text = *content;
  return file;
}

// A session's tools answer with [{query, result, success}]: its parts say it in words, too.
void take_answers(ToolResult& result) {
  if (!result.parts || !result.text.empty()) return;
  bool is_first = true;
  for (const json::value& part : *result.parts) {
    const json::object* answer = part.if_object();
    if (answer == nullptr) continue;
    if (find_bool(*answer, "success") == false) result.is_error = true;
    auto words = find_string(*answer, "result");
    if (!words || words->empty()) words = find_string(*answer, "error");
    if (!words) continue;
    if (!is_first) result.text += '\n';
    is_first = false;
    result.text += *words;
  }
}

class UserReading {
 public:
  UserReading(const json::object& message, Era era) : era_(era) {
    const json::object* metadata = find_object(message, "metadata");
    const auto shown_as =
        metadata == nullptr ? std::nullopt : find_string(*metadata, "displayRole");
    const auto kind = metadata == nullptr ? std::nullopt : find_string(*metadata, "kind");
    // What was compacted keeps the person's words, and is shown as the system's all the same.
    is_person_ = find_string(message, "role") == "user" &&
                 (!shown_as || shown_as == "user" || kind == "compaction");
  }

  void read(const json::array& blocks) {
    for (const json::value& block : blocks) {
      if (era_ == Era::task && !has_marks_) look_at(block);
    }
    for (const json::value& block : blocks) take(block);
    end_result();
  }

  UserContent content;

 private:
  // In a task, what stands beside an envelope or a result is the program's.
  void look_at(const json::value& block) {
    const std::string_view type = type_of(block);
    const std::string_view text = type == "text" ? text_of(block) : "";
    has_marks_ = has_marks_ || type == "tool_result" || parse_result_text(text).has_value() ||
                 find_words(text).words.has_value();
  }

  void take(const json::value& block) {
    const std::string_view type = type_of(block);
    if (type == "text") return take_text(text_of(block));
    if (result_ && type == "image") return parts_.push_back(block);
    end_result();
    if (type == "tool_result") return take_result(block);
    if (type == "file") {
      if (auto file = parse_file(block.get_object())) {
        return append_text(is_person_ ? Author::human : Author::program, *std::move(file));
      }
    }
    anthropic::ParsedBlock parsed = anthropic::parse_block(block);
    const bool is_attachment = std::holds_alternative<Attachment>(parsed.body);
    append_text(is_attachment && is_person_ ? Author::human : Author::program,
                std::move(parsed.body));
  }

  void take_text(std::string_view text) {
    if (!content.directory) content.directory = find_directory(text);
    if (auto found = era_ == Era::task ? parse_result_text(text) : std::nullopt) {
      end_result();
      result_ = ToolResult{.call_id = {}, .name = std::move(found->name), .text = {}};
      if (found->rest.empty()) return;  // it comes in the blocks that follow
      take_result_text(found->rest);
      return end_result();
    }
    if (result_ && !has_result_text_ && !is_of_program(text)) return take_result_text(text);
    end_result();
    take_plain(text);
  }

  void take_result_text(std::string_view text) {
    PromptOrigin found = find_words_in_result(text);
    has_result_text_ = true;
    result_->is_error = found.before.starts_with(kFailed);
    parts_.push_back(json::object{{"type", "text"}, {"text", found.before}});
    result_->text = std::move(found.before);
    after_result_ = std::move(found);
  }

  // Words within a result follow it.
  void end_result() {
    if (!result_) return;
    if (parts_.size() > 1 || (parts_.size() == 1 && !has_result_text_)) {
      result_->parts = std::move(parts_);
    }
    append_text(Author::tool, *std::exchange(result_, std::nullopt));
    parts_ = {};
    has_result_text_ = false;
    append_around(std::exchange(after_result_, {}));
  }

  void append_around(PromptOrigin found) {
    if (found.words) append_text(person(), *std::move(found.words));
    if (!found.after.empty()) {
      if (!content.directory) content.directory = find_directory(found.after);
      append_text(Author::program, std::move(found.after));
    }
  }

  void take_plain(std::string_view text) {
    if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) return;
    PromptOrigin found = find_words(text);
    if (!found.words) {
      const bool is_program = (era_ == Era::task && has_marks_) || is_of_program(text);
      return append_text(is_program ? Author::program : person(), std::string(text));
    }
    if (!found.before.empty()) append_text(Author::program, std::move(found.before));
    append_around(std::move(found));
  }

  void take_result(const json::value& block) {
    anthropic::ParsedBlock parsed = anthropic::parse_block(block);
    auto* result = std::get_if<ToolResult>(&parsed.body);
    if (result == nullptr) return append_text(Author::tool, std::move(parsed.body));
    PromptOrigin found;
    if (era_ == Era::task && !result->parts) {
      found = find_words_in_result(result->text);
      if (found.words || !found.after.empty()) result->text = found.before;
    } else if (era_ == Era::task) {
      found = take_out_of_parts(*result);
    }
    take_answers(*result);
    append_text(Author::tool, std::move(*result));
    append_around(std::move(found));
  }

  // The person's words, and the program's at the end, are cut out of the last text part.
  static PromptOrigin take_out_of_parts(ToolResult& result) {
    for (auto part = result.parts->rbegin(); part != result.parts->rend(); ++part) {
      json::object* object = part->if_object();
      if (object == nullptr || find_string(*object, "type") != "text") continue;
      const std::string_view text = find_string(*object, "text").value_or("");
      PromptOrigin found = find_words_in_result(text);
      if (!found.words && found.after.empty()) return {};
      const std::size_t size = text.size();
      if (!result.text.ends_with(text)) return {};
      result.text.resize(result.text.size() - size);
      result.text += found.before;
      (*object)["text"] = found.before;
      return found;
    }
    return {};
  }

  Author person() const { return is_person_ ? Author::human : Author::program; }
  void append_text(Author author, transcript::Body body) {
    content.blocks.push_back({author, std::move(body)});
  }
  void append_text(Author author, std::string text) {
    append_text(author, Text{.text = std::move(text), .citations = {}});
  }

  Era era_;
  bool is_person_ = true, has_marks_ = false;
  std::optional<ToolResult> result_;  // of which more may come
  json::array parts_;
  bool has_result_text_ = false;
  PromptOrigin after_result_;
};

}  // namespace

UserContent parse_user_content(const json::object& message, Era era) {
  json::array blocks;
  const json::value* content = find_member(message, "content");
  if (content != nullptr && content->is_array()) {
    blocks = content->get_array();
  } else if (content != nullptr && !content->is_null()) {
    blocks.push_back(*content);
  }
  UserReading reading(message, era);
  reading.read(blocks);
  return std::move(reading.content);
}

}  // namespace weft::formats::cline

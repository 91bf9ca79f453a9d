#include "weft/formats/adapters/gemini_message.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "weft/formats/adapters/claude_code_entry.hpp"

namespace weft::formats::gemini {
namespace {

using transcript::Author;
using transcript::Text;
using transcript::Thinking;
using transcript::ToolCall;
using transcript::ToolResult;

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

std::optional<Millis> time_in(const json::object& object, std::string_view key) {
  const auto text = find_string(object, key);
  return text ? parse_iso8601(*text) : std::nullopt;
}

// What the harness says in a person's name.
bool is_context(std::string_view text) {
  constexpr std::array<std::string_view, 4> kBeginnings = {
      "<session_context>", "<hook_context>", "This is the Gemini CLI. We are setting up",
      "This is Gemini CLI. We are setting up"};
  return std::ranges::any_of(kBeginnings,
                             [&](std::string_view begin) { return text.starts_with(begin); });
}

constexpr std::string_view kSnapshot = "<state_snapshot>";
// What it has the model say to a summary.
constexpr std::string_view kAcknowledged = "Got it. Thanks for the additional context!";
// What stands between these was read from files that a prompt named.
constexpr std::string_view kFilesBegin = "--- Content from referenced files ---";

class MessageParser {
 public:
  explicit MessageParser(const json::object& object) : object_(object) {}

  Message parse(People people) {
    message_.id = claude_code::find_id(object_, "id");
    message_.time = time_in(object_, "timestamp");
    if (const auto seconds = find_int(object_, "ts"); seconds && *seconds < kMostSeconds) {
      message_.time = *seconds * 1000;
    }
    message_.model = claude_code::find_id(object_, "model");
    const std::string_view type = type_of(object_);
    if (type == "user") {
      message_.from = Message::From::person;
      take_prompt(people);
    } else if (is_models(type)) {
      message_.from = Message::From::model;
      take_thoughts();
      take_answer();
      take_calls();
      take_usage();
    } else {
      take_notice(type);
    }
    return std::move(message_);
  }

  static std::string_view type_of(const json::object& object) {
    const auto type = find_string(object, "type");
    return type ? *type : find_string(object, "role").value_or("");
  }

  static bool is_models(std::string_view type) {
    // "qwen" wrote the first versions of Qwen Code, "model" is what the API says.
    return type == "gemini" || type == "model" || type == "qwen" || type == "assistant";
  }

 private:
  // Moments beyond the year 5000 are none.
  static constexpr std::int64_t kMostSeconds = 100'000'000'000;

  const json::value& content() const {
    static const json::value nothing;
    for (const std::string_view key : {"content", "parts"}) {
      if (const json::value* value = find_member(object_, key)) return *value;
    }
    return nothing;
  }

  void add(Said said, std::uint32_t index, std::optional<Millis> time = {}) {
    message_.pieces.push_back({std::move(said), index, time});
  }

  void take_prompt(People people) {
    google::Parts parts = google::parse_parts(content(), Author::human);
    message_.is_cut_short = parts.is_cut_short;
    if (!parts.has_responses) settle_words(parts.said);
    std::uint32_t index = kContentAt;
    for (Said& said : parts.said) {
      if (said.author == Author::human && people == People::no) said.author = Author::program;
      add(std::move(said), index++);
    }
  }

  // What a person was shown is what they typed; what the model got for it may hold more.
  void settle_words(std::vector<Said>& said) {
    const json::value* shown = find_member(object_, "displayContent");
    std::string typed;
    if (shown != nullptr) {
      typed = google::text_of(google::parse_parts(*shown, Author::human).said);
    }
    bool is_from_files = false;
    for (Said& one : said) {
      auto* text = std::get_if<Text>(&one.body);
      if (text == nullptr) continue;
      const std::string_view words = trimmed(text->text);
      is_from_files = is_from_files || words.starts_with(kFilesBegin);
      if (words.starts_with(kSnapshot)) {
        one = {Author::model, transcript::Compaction{std::move(text->text)}};
      } else if (is_from_files || is_context(words)) {
        one.author = Author::program;
      } else if (!typed.empty() && text->text != typed) {
        one.author = Author::program;
      }
    }
    if (typed.empty()) return;
    const auto has_words = [](const Said& one) {
      return one.author == Author::human && std::holds_alternative<Text>(one.body);
    };
    if (std::ranges::none_of(said, has_words)) {
      said.insert(said.begin(), {Author::human, Text{std::move(typed), {}}});
    }
  }

  void take_thoughts() {
    const json::array* thoughts = find_array(object_, "thoughts");
    if (thoughts == nullptr) return;
    std::uint32_t index = 0;
    for (const json::value& value : *thoughts) {
      if (index >= google::kMostParts) {
        message_.is_cut_short = true;
        return;
      }
      const std::uint32_t place = index++;
      const json::object* thought = value.if_object();
      if (thought == nullptr) {
        add({Author::model, transcript::Unknown{.block_type = "thought", .raw = value}}, place);
        continue;
      }
      std::string summary(find_string(*thought, "subject").value_or(""));
      const std::string_view more = find_string(*thought, "description").value_or("");
      if (!summary.empty() && !more.empty()) summary += '\n';
      summary += more;
      if (summary.empty()) continue;
      Thinking thinking;
      thinking.summaries.push_back(std::move(summary));
      add({Author::model, std::move(thinking), time_in(*thought, "timestamp")}, place);
    }
  }

  void take_answer() {
    google::Parts parts = google::parse_parts(content(), Author::model);
    message_.is_cut_short = message_.is_cut_short || parts.is_cut_short;
    std::uint32_t index = kContentAt;
    for (Said& said : parts.said) {
      const auto* text = std::get_if<Text>(&said.body);
      if (text != nullptr && !message_.model && trimmed(text->text) == kAcknowledged) {
        said.author = Author::program;
      }
      const std::uint32_t place = index++;
      const auto* call = std::get_if<ToolCall>(&said.body);
      if (call != nullptr && has_call(call->id)) continue;
      add(std::move(said), place);
    }
  }

  bool has_call(std::string_view id) const {
    const json::array* calls = find_array(object_, "toolCalls");
    return calls != nullptr && !id.empty() && std::ranges::any_of(*calls, [&](const auto& call) {
             return call.is_object() && find_string(call.get_object(), "id") == id;
           });
  }

  void take_calls() {
    const json::array* calls = find_array(object_, "toolCalls");
    if (calls == nullptr) return;
    std::uint32_t index = kCallsAt;
    for (const json::value& value : *calls) {
      if (index - kCallsAt >= google::kMostParts) {
        message_.is_cut_short = true;
        return;
      }
      if (const json::object* call = value.if_object()) {
        take_call(*call, index);
      } else {
        add({Author::model, transcript::Unknown{.block_type = "toolCall", .raw = value}}, index);
      }
      index += 2;
    }
  }

  void take_call(const json::object& object, std::uint32_t index) {
    ToolCall call{.id = std::string(find_string(object, "id").value_or("")),
                  .name = std::string(find_string(object, "name").value_or("")),
                  .input = json::object(),
                  .description = {},
                  .display_text = {}};
    if (const json::value* input = find_member(object, "args")) call.input = *input;
    // Older versions have the tool's manual here, the same for each of its calls.
    const std::string_view shown = find_string(object, "description").value_or("");
    if (!shown.empty()) call.display_text = std::string(shown);
    const json::object* input = call.input.if_object();
    const auto purpose = input == nullptr ? std::nullopt : find_string(*input, "description");
    if (purpose) call.description = std::string(*purpose);
    if (const auto agent = claude_code::find_id(object, "agentId"); agent && !call.id.empty()) {
      message_.delegations.push_back({call.id, *agent});
    }
    std::optional<ToolResult> result = result_of(object, call);
    add({Author::model, std::move(call)}, index);
    if (result) {
      add({Author::tool, std::move(*result)}, index + 1, time_in(object, "timestamp"));
    }
  }

  // Empty while the call is still running.
  static std::optional<ToolResult> result_of(const json::object& object, const ToolCall& call) {
    const std::string_view status = find_string(object, "status").value_or("");
    const bool is_failed = status == "error" || status == "cancelled";
    const json::value* given = find_member(object, "result");
    const bool has_result = given != nullptr && !given->is_null();
    if (!has_result && !is_failed && status != "success") return std::nullopt;

    ToolResult result;
    if (has_result) result = joined(*given, call.id);
    result.call_id = call.id;
    result.name = call.name;
    if (!status.empty()) result.is_error = is_failed;
    if (result.text.empty() && !has_result) {
      result.text = find_string(object, "resultDisplay").value_or("");
    }
    google::add_display(result, object);
    return result;
  }

  // The responses to this call; a list may hold those to its neighbours too.
  static ToolResult joined(const json::value& given, std::string_view id) {
    google::Parts parts = google::parse_parts(given, Author::human);
    const auto is_of = [&](const Said& said) {
      const auto* one = std::get_if<ToolResult>(&said.body);
      return one != nullptr && one->call_id == id;
    };
    const auto own = std::ranges::find_if(parts.said, is_of);
    const auto others = std::ranges::count_if(parts.said, [&](const Said& said) {
      return std::holds_alternative<ToolResult>(said.body) && !is_of(said);
    });
    ToolResult result;
    if (own != parts.said.end()) {
      result = std::get<ToolResult>(own->body);
      if (others > 0) return result;
    } else {
      for (Said& said : parts.said) {
        if (auto* one = std::get_if<ToolResult>(&said.body)) {
          result = std::move(*one);
          break;
        }
      }
    }
    const std::string more = google::text_of(parts.said);
    if (!more.empty()) result.text += (result.text.empty() ? "" : "\n") + more;
    if (parts.said.size() > 1 && given.is_array()) result.parts = given.get_array();
    return result;
  }

  void take_usage() {
    const json::object* tokens = find_object(object_, "tokens");
    if (tokens == nullptr) return;
    message_.usage = transcript::Usage{.input = find_int(*tokens, "input").value_or(0),
                                       .output = find_int(*tokens, "output").value_or(0),
                                       .cache_read = find_int(*tokens, "cached").value_or(0)};
  }

  void take_notice(std::string_view type) {
    google::Parts parts = google::parse_parts(content(), Author::program);
    message_.is_cut_short = parts.is_cut_short;
    constexpr std::array<std::string_view, 3> kTypes = {"info", "warning", "error"};
    if (std::ranges::find(kTypes, type) == kTypes.end()) {
      json::object raw = object_;
      for (const std::string_view key : {"id", "timestamp"}) raw.erase(key);
      add({Author::program,
           transcript::Unknown{.block_type = std::string(type), .raw = std::move(raw)}},
          kContentAt);
      return;
    }
    std::uint32_t index = kContentAt;
    for (Said& said : parts.said) {
      auto* text = std::get_if<Text>(&said.body);
      if (type == "error" && text != nullptr) {
        said.body = transcript::Failure{.text = std::move(text->text), .details = {}};
      }
      add(std::move(said), index++);
    }
  }

  const json::object& object_;
  Message message_;
};

}  // namespace

std::string Message::words() const {
  for (const Piece& piece : pieces) {
    const auto* text = std::get_if<Text>(&piece.said.body);
    if (text != nullptr && piece.said.author == Author::human) return text->text;
  }
  return {};
}

bool is_message(const json::object& object) {
  if (MessageParser::type_of(object).empty()) return false;
  constexpr std::array<std::string_view, 5> kMembers = {"id", "content", "parts", "toolCalls",
                                                        "thoughts"};
  return std::ranges::any_of(kMembers, [&](std::string_view key) { return object.contains(key); });
}

Message parse_message(const json::object& object, People people) {
  return MessageParser(object).parse(people);
}

std::optional<std::string> folder_in(std::string_view context) {
  constexpr std::array<std::string_view, 2> kLabels = {"Workspace Directories:**\n  - ",
                                                       "working in the directory: "};
  for (const std::string_view label : kLabels) {
    const std::size_t at = context.find(label);
    if (at == std::string_view::npos) continue;
    const std::string_view rest = context.substr(at + label.size());
    const std::string_view line = trimmed(rest.substr(0, rest.find('\n')));
    if (!line.empty()) return std::string(line);
  }
  return std::nullopt;
}

}  // namespace weft::formats::gemini

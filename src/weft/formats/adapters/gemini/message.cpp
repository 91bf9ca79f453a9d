#include "weft/formats/adapters/gemini/message.hpp"

#include <algorithm>
#include <array>
#include <unordered_set>
#include <utility>

#include "weft/formats/reading/members.hpp"
#include "weft/formats/reading/text.hpp"

namespace weft::formats::gemini {
namespace {

using transcript::Author;
using transcript::Text;
using transcript::Thinking;
using transcript::ToolCall;

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

class MessageParser {
 public:
  explicit MessageParser(const json::object& object) : object_(object) {}

  Message parse(People people) {
    message_.id = find_id(object_, "id");
    message_.time = time_in(object_, "timestamp");
    if (const auto seconds = find_int(object_, "ts"); seconds && *seconds < kMostSeconds) {
      message_.time = *seconds * 1000;
    }
    message_.model = find_id(object_, "model");
    const std::string_view type = type_of(object_);
    if (type == "user") {
      message_.from = Message::From::person;
      read_prompt(people);
    } else if (is_models(type)) {
      message_.from = Message::From::model;
      read_thoughts();
      read_answer();
      parse_calls(object_, message_);
      read_usage();
    } else {
      read_notice(type);
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

  void add(AuthoredBlock authored, std::uint32_t index, std::optional<Millis> time = {}) {
    message_.pieces.push_back({std::move(authored), index, time});
  }

  void read_prompt(People people) {
    google::Parts parts = google::parse_parts(content(), Author::human);
    message_.is_cut_short = parts.is_cut_short;
    if (!parts.has_responses) settle_words(parts.blocks);
    std::uint32_t index = kContentAt;
    for (AuthoredBlock& authored : parts.blocks) {
      if (authored.author == Author::human && people == People::no)
        authored.author = Author::program;
      add(std::move(authored), index++);
    }
  }

  // What a person was shown is what they typed; what the model got for it may hold more.
  void settle_words(std::vector<AuthoredBlock>& authored) {
    const json::value* shown = find_member(object_, "displayContent");
    std::string typed;
    if (shown != nullptr) {
      typed = google::text_of(google::parse_parts(*shown, Author::human).blocks);
    }
    google::set_files_apart(authored);
    for (AuthoredBlock& one : authored) {
      auto* text = std::get_if<Text>(&one.body);
      if (text == nullptr) continue;
      const std::string_view words = trim(text->text);
      if (words.starts_with(kSnapshot)) {
        one = {Author::model, transcript::Compaction{std::move(text->text)}};
      } else if (is_context(words)) {
        one.author = Author::program;
      } else if (!typed.empty() && text->text != typed) {
        one.author = Author::program;
      }
    }
    if (typed.empty()) return;
    const auto has_words = [](const AuthoredBlock& one) {
      return one.author == Author::human && std::holds_alternative<Text>(one.body);
    };
    if (std::ranges::none_of(authored, has_words)) {
      authored.insert(authored.begin(), {Author::human, Text{std::move(typed), {}}});
    }
  }

  void read_thoughts() {
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

  void read_answer() {
    google::Parts parts = google::parse_parts(content(), Author::model);
    message_.is_cut_short = message_.is_cut_short || parts.is_cut_short;
    const std::unordered_set<std::string_view> listed = listed_calls();
    std::uint32_t index = kContentAt;
    for (AuthoredBlock& authored : parts.blocks) {
      const auto* text = std::get_if<Text>(&authored.body);
      if (text != nullptr && !message_.model && trim(text->text) == kAcknowledged) {
        authored.author = Author::program;
      }
      const std::uint32_t place = index++;
      const auto* call = std::get_if<ToolCall>(&authored.body);
      if (call != nullptr && listed.contains(call->id)) continue;
      add(std::move(authored), place);
    }
  }

  // The calls that stand in a list of their own.
  std::unordered_set<std::string_view> listed_calls() const {
    std::unordered_set<std::string_view> ids;
    const json::array* calls = find_array(object_, "toolCalls");
    if (calls == nullptr) return ids;
    for (const json::value& value : *calls) {
      const json::object* call = value.if_object();
      const auto id = call == nullptr ? std::nullopt : find_string(*call, "id");
      if (id && !id->empty()) ids.insert(*id);
    }
    return ids;
  }

  void read_usage() {
    const json::object* tokens = find_object(object_, "tokens");
    if (tokens == nullptr) return;
    // Thoughts are no part of the output there.
    message_.usage =
        transcript::Usage{.input = count_in(*tokens, "input"),
                          .output = count_in(*tokens, "output") + count_in(*tokens, "thoughts"),
                          .cache_read = count_in(*tokens, "cached")};
  }

  void read_notice(std::string_view type) {
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
    for (AuthoredBlock& authored : parts.blocks) {
      auto* text = std::get_if<Text>(&authored.body);
      if (type == "error" && text != nullptr) {
        authored.body = transcript::Failure{.text = std::move(text->text), .details = {}};
      }
      add(std::move(authored), index++);
    }
  }

  const json::object& object_;
  Message message_;
};

}  // namespace

std::string Message::words() const {
  for (const Piece& piece : pieces) {
    const auto* text = std::get_if<Text>(&piece.block.body);
    if (text != nullptr && piece.block.author == Author::human) return text->text;
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
    const std::string_view line = trim(rest.substr(0, rest.find('\n')));
    if (!line.empty()) return std::string(line);
  }
  return std::nullopt;
}

}  // namespace weft::formats::gemini

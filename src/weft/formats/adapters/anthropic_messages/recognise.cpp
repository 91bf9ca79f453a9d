// Is this a log of the Messages API? OpenAI's bodies look much alike, other agents keep messages
// in envelopes of their own, and other endpoints answer with objects too.
#include <algorithm>
#include <array>

#include "weft/formats/adapters/anthropic_messages/message_log.hpp"
#include "weft/formats/apis/anthropic/agent_marks.hpp"
#include "weft/formats/framing/json_pieces.hpp"
#include "weft/formats/framing/lines.hpp"
#include "weft/formats/reading/text.hpp"

namespace weft::formats::anthropic {
namespace {

constexpr std::size_t kBodiesToLookAt = 50;

// How a body looks. Any that is foreign decides.
enum class BodyLook { foreign, nothing, plain, own };

template <std::size_t N>
bool is_one_of(const std::array<std::string_view, N>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

BodyLook look_at_content(const LoggedBody& message) {
  constexpr std::array<std::string_view, 6> kOwn = {"tool_use",        "tool_result",
                                                    "thinking",        "redacted_thinking",
                                                    "server_tool_use", "mcp_tool_use"};
  BodyLook look = BodyLook::plain;
  for (const LoggedBody& block : message.elements("content")) {
    const std::string type = block.string("type").value_or("text");
    const bool is_own = is_one_of(kOwn, type) || type.ends_with("_tool_result") ||
                        ((type == "image" || type == "document") && block.has_object("source"));
    if (is_own) look = std::max(look, BodyLook::own);
    if (type.starts_with("input_") || type.starts_with("output_") || type == "image_url") {
      return BodyLook::foreign;
    }
  }
  return look;
}

BodyLook look_at_message(const LoggedBody& message) {
  constexpr std::array<std::string_view, 12> kMembers = {
      "role",        "content",       "id",    "type",         "model",       "container",
      "stop_reason", "stop_sequence", "usage", "stop_details", "diagnostics", "context_management"};
  for (const JsonPiece& member : message.members()) {
    if (!is_one_of(kMembers, member.member) && !member.cut) return BodyLook::foreign;
  }
  const std::string role = message.string("role").value_or("user");
  if (role != "user" && role != "assistant" && role != "system") return BodyLook::foreign;
  return look_at_content(message);
}

BodyLook look_at_response(const LoggedBody& body) {
  if (body.has("session_id") || body.has("sessionId") || body.has("parentId"))
    return BodyLook::foreign;
  const bool is_answer = body.string("role") == "assistant" && body.has_array("content");
  const bool says_how = body.has("model") || body.has("stop_reason") || body.has("usage");
  return is_answer && says_how ? BodyLook::own : BodyLook::foreign;
}

BodyLook look_at_request(const LoggedBody& body) {
  constexpr std::array<std::string_view, 30> kMembers = {"model",         "messages",
                                                         "system",        "tools",
                                                         "tool_choice",   "max_tokens",
                                                         "thinking",      "output_config",
                                                         "metadata",      "stream",
                                                         "temperature",   "stop_sequences",
                                                         "mcp_servers",   "container",
                                                         "fallbacks",     "context_management",
                                                         "betas",         "service_tier",
                                                         "speed",         "anthropic_version",
                                                         "top_k",         "anthropic_beta",
                                                         "top_p",         "output_format",
                                                         "inference_geo", "cache_control",
                                                         "diagnostics",   "extra_headers",
                                                         "extra_body",    "max_tokens_to_sample"};
  for (const JsonPiece& member : body.members()) {
    if (!is_one_of(kMembers, member.member) && !member.cut) return BodyLook::foreign;
  }
  BodyLook look = BodyLook::nothing;
  for (const LoggedBody& message : body.elements("messages")) {
    const BodyLook one = look_at_message(message);
    if (one == BodyLook::foreign) return one;
    look = std::max(look, one);
  }
  const auto tools = body.elements("tools");
  const bool has_own_tools =
      std::ranges::any_of(tools, [](const LoggedBody& tool) { return tool.has("input_schema"); });
  const bool has_foreign_tools =
      std::ranges::any_of(tools, [](const LoggedBody& tool) { return tool.has("function"); });
  if (has_foreign_tools) return BodyLook::foreign;
  const bool is_of_claude = body.string("model").value_or("").find("claude") != std::string::npos ||
                            body.has("system") || body.has("thinking") ||
                            body.has("anthropic_version") || body.has("stop_sequences") ||
                            has_own_tools;
  if (is_of_claude && look == BodyLook::plain) return BodyLook::own;
  return look == BodyLook::plain && !body.has("max_tokens") ? BodyLook::nothing : look;
}

BodyLook look_at_event(const LoggedBody& body) {
  const std::string type = body.string("type").value_or("");
  if (type == "ping") return BodyLook::nothing;
  if (type == "error") {
    const bool is_own = std::ranges::all_of(body.members(), [](const JsonPiece& member) {
      return member.member == "type" || member.member == "error" || member.member == "request_id";
    });
    return is_own && body.has_object("error") ? BodyLook::plain : BodyLook::foreign;
  }
  if (type == "message_start") {
    const LoggedBody message = body.inner("message");
    const bool is_own = message.string("type") == "message" && message.has("role");
    return is_own ? BodyLook::own : message.has("role") ? BodyLook::foreign : BodyLook::nothing;
  }
  if (type.starts_with("content_block_"))
    return body.has("index") ? BodyLook::own : BodyLook::nothing;
  return BodyLook::own;
}

BodyLook look_at(const LoggedBody& body) {
  switch (shape_of(body)) {
    case Shape::event: return look_at_event(body);
    case Shape::response: return look_at_response(body);
    case Shape::request: return look_at_request(body);
    case Shape::message: return look_at_message(body);
    case Shape::batch: {
      const LoggedBody message = body.inner("result").inner("message");
      return message.members().empty() ? BodyLook::plain : look_at(message);
    }
    case Shape::pair: {
      BodyLook look = BodyLook::nothing;
      for (const char* key : {"request", "response"}) {
        const LoggedBody outer = body.inner(key);
        const LoggedBody inner = outer.has_object("body") ? outer.inner("body") : outer;
        const BodyLook one = shape_of(inner) == Shape::other ? BodyLook::nothing : look_at(inner);
        if (one == BodyLook::foreign) return one;
        look = std::max(look, one);
      }
      return look;
    }
    case Shape::other: break;
  }
  return BodyLook::foreign;
}

bool is_sse(std::string_view head) {
  return head.starts_with("event:") || head.starts_with("data:") || head.starts_with(":") ||
         head.starts_with("id:") || head.starts_with("retry:");
}

std::vector<BodyLook> looks_in(std::string_view head) {
  std::vector<BodyLook> looks;
  const auto add = [&](const LoggedBody& body) {
    if (looks.size() < kBodiesToLookAt && !body.members().empty()) looks.push_back(look_at(body));
  };
  if (is_sse(head)) {
    const auto framer = sse_framer();
    const OnRecord record = [&](const Record& event) {
      if (!event.stray && !event.cut) add(LoggedBody(event.text, 1));
    };
    const OnOversize oversize = [](std::uint64_t, std::uint64_t) {};
    framer->push(head, record, oversize);
    framer->end(record, oversize);
  } else if (head.starts_with('[')) {
    for (const LoggedBody& body : LoggedBody::elements_of(head, 1)) {
      if (has_agent_mark(body)) return {BodyLook::foreign};
      add(body);
    }
  } else if (is_over_lines(head)) {
    add(LoggedBody(head, 1));
  } else {
    Lines lines(head, 1);
    while (const auto line = lines.next()) {
      if (looks.size() >= kBodiesToLookAt) break;
      if (!looks.empty() && looks.back() == BodyLook::foreign) break;
      const LoggedBody body(line->text, 1);
      // Texts alone, line by line, may be anybody's.
      const bool is_line = shape_of(body) == Shape::message;
      // The last line may be cut before it shows what it is.
      const bool is_last = !lines.peek();
      if (is_last && !looks.empty() && shape_of(body) == Shape::other) continue;
      if (is_line && look_at(body) == BodyLook::plain) {
        looks.push_back(BodyLook::nothing);
      } else {
        add(body);
      }
    }
  }
  return looks;
}

}  // namespace

Confidence recognises_messages(std::string_view head) {
  const std::vector<BodyLook> looks = looks_in(trim(head));
  if (looks.empty()) return Confidence::no;
  if (std::ranges::find(looks, BodyLook::foreign) != looks.end()) return Confidence::no;
  switch (std::ranges::max(looks)) {
    case BodyLook::own: return Confidence::yes;
    case BodyLook::plain: return Confidence::maybe;
    default: return Confidence::no;
  }
}

std::unique_ptr<Framer> frame_messages(std::string_view head) {
  const std::size_t first = head.find_first_not_of(kBlanks);
  const std::string_view text = first == std::string_view::npos ? "" : head.substr(first);
  if (is_sse(text)) return sse_framer();
  if (text.starts_with('[')) return json_framer({});
  return is_over_lines(text) ? values_framer() : line_framer();
}

}  // namespace weft::formats::anthropic

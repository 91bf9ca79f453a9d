#include "weft/capture/proxy/exchange_log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "weft/base/hex.hpp"
#include "weft/base/json.hpp"
#include "weft/base/try.hpp"
#include "weft/base/utf8.hpp"
#include "weft/crypto/sha2.hpp"
#include "weft/formats/framing/framing.hpp"
#include "weft/net/content_coding.hpp"
#include "weft/thought/attestation.hpp"

namespace weft::capture {
namespace {

// Of a decoded body. The largest that an API accepts; weaving takes several times as much memory.
constexpr std::size_t kMostBytes = 24u << 20;
// Of a body, in all: blocks take far more memory than their bytes. A long session has ten thousand.
constexpr std::size_t kMostValues = 200'000;
// Of an error page in place of an answer.
constexpr std::size_t kMostPageBytes = 4u << 10;

std::unexpected<Error> not_recordable(std::string_view why) {
  return fail(ErrorCode::invalid_input, std::string(why));
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first == std::string_view::npos ? std::string_view() : text.substr(first);
}

// Beyond `most` it stops counting.
std::size_t count_values(const json::value& value, std::size_t most) {
  std::size_t count = 1;
  const auto add = [&](const json::value& inner) {
    if (count <= most) count += count_values(inner, most - count);
  };
  if (const json::array* array = value.if_array()) {
    for (const json::value& inner : *array) add(inner);
  } else if (const json::object* object = value.if_object()) {
    for (const auto& member : *object) add(member.value());
  }
  return count;
}

// The error never quotes the text.
Status check_object(std::string_view text) {
  std::string storage;
  std::size_t repairs = 0;
  const Result<ParsedJson> parsed = parse_json(repair_json(text, storage, repairs));
  if (!parsed) return fail(parsed.error());
  if (!parsed->value.is_object()) return fail(ErrorCode::invalid_input, "it is another value");
  if (count_values(parsed->value, kMostValues) > kMostValues) {
    return fail(ErrorCode::invalid_input, fmt::format("it has more than {} values", kMostValues));
  }
  return {};
}

std::string quoted(std::string_view text) {
  std::string storage;
  std::size_t repairs = 0;
  return canonical_json(json::string(repair_utf8(text, storage, repairs)));
}

// The decoded answer, as far as it is readable, and the arrival times of its parts.
struct Answer {
  std::string text{}, times = "[";
  bool is_broken = false;  // it is not in the coding that its head names
};

Answer answer_of(const RecordedExchange& recorded) {
  Answer answer;
  Result<std::unique_ptr<net::Decoder>> decoder = net::open_decoder(recorded.response_encoding);
  answer.is_broken = !decoder;
  std::size_t at = 0;
  Millis listed = -1;  // the last time in `times`
  for (const auto& [size, time] : recorded.arrivals) {
    if (answer.is_broken) break;
    const std::size_t before = answer.text.size();
    answer.is_broken = !(*decoder)->push(std::string_view(recorded.response).substr(at, size),
                                         answer.text, kMostBytes);
    at += size;
    if (answer.text.size() == before || time == listed) continue;
    answer.times += fmt::format("{}[{},{}]", listed < 0 ? "" : ",", before, time);
    listed = time;
  }
  // The arrival of the last byte counts, even if it adds no text.
  if (listed >= 0 && recorded.last_at > listed) {
    answer.times +=
        fmt::format(",[{},{}]", std::max<std::size_t>(answer.text.size(), 1) - 1, recorded.last_at);
  }
  answer.times += "]";
  return answer;
}

std::string sha256_of(std::string_view body) { return to_hex(crypto::sha256(body)); }

std::string error_json(std::string_view type, std::string_view message) {
  return fmt::format(R"({{"type":"{}","message":{}}})", type, quoted(message));
}

bool is_stream(const RecordedExchange& recorded, std::string_view text) {
  const std::string_view begin = trimmed(text);
  return recorded.response_type.starts_with("text/event-stream") || begin.starts_with("event:") ||
         begin.starts_with("data:") || begin.starts_with(':');
}

// The member of the line for the answer: "response" or "error".
std::string answer_member(const RecordedExchange& recorded, const Answer& answer) {
  const std::string_view text = answer.text;
  const bool is_whole = recorded.end == ExchangeEnd::complete && !answer.is_broken;
  const auto error = [](const std::string& body) { return R"("error":)" + body; };
  const auto response = [&](const std::string& body) {
    return fmt::format(R"("response":{{"status":{},"body":{},"times":{}}})", recorded.status, body,
                       answer.times);
  };
  if (trimmed(text).empty()) {
    if (recorded.status >= 400)
      return error(error_json("http_error", fmt::format("HTTP {}", recorded.status)));
    return error(error_json("broken_off", "no answer came"));
  }
  if (trimmed(text).starts_with('{')) {
    if (!check_object(text)) {
      return error(error_json("broken_off",
                              is_whole ? "the answer was not understood" : "the answer broke off"));
    }
    const bool is_error = recorded.status >= 400;
    const Result<ParsedJson> parsed = is_error ? parse_json(text) : fail(ErrorCode::internal, "");
    const bool is_bare = parsed && !parsed->value.get_object().contains("error");
    return is_bare ? error(std::string(text)) : response(std::string(text));
  }
  if (recorded.status < 400 && is_stream(recorded, text)) return response(quoted(text));
  if (recorded.status >= 400) {
    return error(error_json(
        "http_error", fmt::format("HTTP {}: {}", recorded.status, text.substr(0, kMostPageBytes))));
  }
  return error(error_json("not_understood", "the answer was not understood"));
}

}  // namespace

std::string_view api_path(std::string_view target) {
  const std::string_view path = target.substr(0, target.find_first_of("?#"));
  for (const std::string_view api : {"/v1/messages", "/v1/chat/completions", "/chat/completions",
                                     "/v1/responses", "/responses"}) {
    if (path.ends_with(api)) return path.substr(path.size() - api.size());
  }
  return {};
}

std::string_view format_of(std::string_view method, std::string_view target) {
  const std::string_view path = api_path(target);
  if (method != "POST" || path.empty()) return {};
  return path == "/v1/messages" ? "anthropic-messages" : "openai";
}

Result<LoggedExchange> to_log(const RecordedExchange& recorded) {
  const std::string_view format = format_of(recorded.method, recorded.target);
  if (format.empty()) return not_recordable("its target belongs to no API that weft knows");
  if (recorded.is_too_large)
    return not_recordable(
        fmt::format("its bodies are too large: together, more than {} bytes", kMostBodyBytes));
  if (!recorded.is_request_complete)
    return not_recordable("the request ended before it was complete");
  WEFT_TRY_VALUE(auto decoder, net::open_decoder(recorded.request_encoding));
  std::string request;
  if (const Status decoded = decoder->push(recorded.request, request, kMostBytes); !decoded) {
    return fail(decoded.error());
  }
  if (const Status object = check_object(request); !object) {
    return not_recordable("the body of the request is not a JSON object that can be read: " +
                          object.error().message);
  }
  const Answer answer = answer_of(recorded);
  const formats::Adapter* adapter = formats::find_adapter(format);
  if (adapter == nullptr || adapter->conversation_key == nullptr) {
    return not_recordable("no adapter tells the conversations of this API apart");
  }
  LoggedExchange logged{.format = format,
                        .conversation = adapter->conversation_key(request),
                        .answer_name = adapter->answer_name == nullptr
                                           ? std::string()
                                           : adapter->answer_name(answer.text),
                        .extras = extras_of(recorded, request, answer.text),
                        .id = recorded.name,
                        .heard = {{thought::kRequestHash, sha256_of(request)},
                                  {thought::kResponseHash, sha256_of(answer.text)}}};
  const std::string member = answer_member(recorded, answer);
  logged.line.reserve(request.size() + member.size() + 64);
  logged.line += fmt::format(R"({{"timestamp":"{}","request":)", to_iso8601(recorded.requested_at));
  logged.line += request;
  logged.line += ",";
  logged.line += member;
  logged.line += "}";
  return logged;
}

}  // namespace weft::capture

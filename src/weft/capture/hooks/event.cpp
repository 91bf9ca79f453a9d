#include "weft/capture/hooks/event.hpp"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>

#include "weft/base/ascii.hpp"
#include "weft/base/json.hpp"
#include "weft/base/utf8.hpp"

namespace weft::capture {
namespace {

using Clock = std::chrono::steady_clock;

// The pause in the input after which it is checked for completeness.
constexpr std::chrono::milliseconds kPause{20};

Error cannot_be_read() {
  return {ErrorCode::unavailable,
          "reading the hook event on stdin: " + std::generic_category().message(errno)};
}

}  // namespace

Result<HookEvent> parse_hook_event(std::string_view text) {
  if (is_blank(text)) {
    return fail(ErrorCode::invalid_input, "the hook event is empty: want a JSON object on stdin");
  }
  std::string storage;
  std::size_t repairs = 0;
  const Result<ParsedJson> parsed = parse_json(repair_json(text, storage, repairs));
  if (!parsed) return fail(Error(parsed.error()).within("parsing the hook event"));
  const json::object* object = parsed->value.if_object();
  if (object == nullptr) {
    return fail(ErrorCode::invalid_input, "the hook event is not a JSON object");
  }
  HookEvent event{.name = std::string(find_string(*object, "hook_event_name").value_or("")),
                  .source = std::string(find_string(*object, "source").value_or("")),
                  .session = std::string(find_string(*object, "session_id").value_or(""))};
  for (const std::string_view key : {"transcript_path", "agent_transcript_path"}) {
    const auto path = find_string(*object, key);
    if (path && !path->empty()) event.files.emplace_back(*path);
  }
  if (event.files.empty()) {
    return fail(ErrorCode::invalid_input, "the hook event has no transcript_path");
  }
  return event;
}

Result<HookEvent> read_hook_event(int descriptor, std::size_t limit,
                                  std::chrono::milliseconds patience) {
  const Clock::time_point deadline = Clock::now() + patience;
  std::string text;
  std::array<char, 65536> buffer{};
  for (;;) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now());
    if (left.count() <= 0) {
      return fail(ErrorCode::unavailable, "the hook event did not arrive in time");
    }
    pollfd ready{.fd = descriptor, .events = POLLIN, .revents = 0};
    const int events =
        ::poll(&ready, 1, static_cast<int>(std::min(left, text.empty() ? left : kPause).count()));
    if (events < 0 && errno == EINTR) continue;
    if (events < 0) return fail(cannot_be_read());
    if (events == 0) {
      if (text.empty()) continue;
      if (Result<HookEvent> event = parse_hook_event(text)) return event;
      continue;
    }
    const ssize_t got = ::read(descriptor, buffer.data(), buffer.size());
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (got < 0) return fail(cannot_be_read());
    if (got == 0) return parse_hook_event(text);
    text.append(buffer.data(), static_cast<std::size_t>(got));
    if (text.size() > limit) {
      return fail(ErrorCode::invalid_input,
                  "the hook event has more than " + std::to_string(limit) + " bytes");
    }
  }
}

}  // namespace weft::capture

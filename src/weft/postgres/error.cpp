#include "weft/postgres/error.hpp"

#include <algorithm>
#include <optional>

#include "weft/base/utf8.hpp"

namespace weft::postgres {
namespace {

bool is_in(std::string_view state, std::string_view state_class) {
  return state.starts_with(state_class);
}

ErrorCode code_for(std::string_view state) {
  for (const std::string_view again :
       {"40001", "40P01", "55P03", "57014", "25P03", "08", "53", "57P"}) {
    if (is_in(state, again)) return ErrorCode::unavailable;
  }
  for (const std::string_view denied : {"42501", "28", "25006"}) {
    if (is_in(state, denied)) return ErrorCode::denied;
  }
  for (const std::string_view missing : {"42P01", "3F000", "3D000"}) {
    if (is_in(state, missing)) return ErrorCode::not_found;
  }
  if (state == "XX001" || state == "XX002") return ErrorCode::corrupt;
  if (is_in(state, "54")) return ErrorCode::invalid_input;
  return ErrorCode::internal;
}

// Classes of which the server's message names values or may be any text.
bool may_tell_values(std::string_view state) {
  for (const std::string_view silent : {"22", "23", "44", "P0"}) {
    if (is_in(state, silent)) return true;
  }
  return false;
}

std::string reason_for(const Report& report) {
  const std::string_view state = report.state;
  const std::string said = " (" + clean(report.message) + ")";
  if (is_in(state, "40")) return "another writer was in the way; try again";
  if (state == "55P03") {
    return "another writer of the web did not finish in time; try again when it is done";
  }
  if (state == "57014") return "the server did not finish in time; try again";
  if (state == "25P03") {
    return "nothing was sent for too long while others waited for this write, so the server ended "
           "it; nothing was changed; try again";
  }
  if (is_in(state, "57P")) return "the server is starting or shutting down; try again" + said;
  if (is_in(state, "53")) {
    return "the server is out of disk, memory or connections; nothing was changed; free some, then "
           "try again" +
           said;
  }
  if (is_in(state, "08")) return "the connection to the server failed; try again" + said;
  if (state == "42501" && report.message.contains("row-level security")) {
    return "another role of the web added this; that role adds to it, or a keeper" + said;
  }
  if (state == "42501")
    return "the role has no right to do this; the owner of the web gives it more with weft store "
           "grant" +
           said;
  if (is_in(state, "28"))
    return "the server does not let this role in; check the user and its password" + said;
  if (state == "25006") return "the server may only be read; write to the primary" + said;
  if (state == "42P01" || state == "3F000") {
    return "there is no web in this schema of the database; check the database and ?schema= in the "
           "URL" +
           said;
  }
  if (state == "3D000") return "there is no such database; check the URL" + said;
  if (state == "XX001" || state == "XX002") return "the database is damaged" + said;
  if (is_in(state, "54")) return "too large for one row" + said;
  const std::string named = "PostgreSQL: " + (state.empty() ? "no code" : clean(state));
  return may_tell_values(state) ? named : named + said;
}

constexpr std::size_t kStateBytes = 5;

// The SQLSTATE in "FATAL:  28P01: password authentication failed for user …".
std::optional<std::size_t> find_state(std::string_view words) {
  constexpr std::string_view kBefore = ":  ";
  for (std::size_t at = words.find(kBefore); at != words.npos; at = words.find(kBefore, at + 1)) {
    const std::string_view state = words.substr(at + kBefore.size(), kStateBytes);
    const bool is_state = std::ranges::all_of(
        state, [](char c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z'); });
    const std::size_t end = at + kBefore.size() + kStateBytes;
    if (is_state && end < words.size() && words[end] == ':') return at + kBefore.size();
  }
  return std::nullopt;
}

}  // namespace

std::string clean(std::string_view text) {
  constexpr std::size_t kMostBytes = 200;
  std::string storage;
  std::size_t repairs = 0;
  std::string cleaned(cut_utf8(repair_utf8(text, storage, repairs), kMostBytes));
  for (std::size_t i = 0; i < cleaned.size(); ++i) {
    const auto byte = static_cast<unsigned char>(cleaned[i]);
    if (byte < ' ' || byte == 0x7f) cleaned[i] = ' ';
    // U+0080 to U+009F are control characters too.
    if (byte == 0xc2 && i + 1 < cleaned.size() &&
        static_cast<unsigned char>(cleaned[i + 1]) < 0xa0) {
      cleaned.replace(i, 2, "  ");
    }
  }
  while (cleaned.ends_with(' ')) cleaned.pop_back();
  return cleaned;
}

Error to_error(const Report& report) { return {code_for(report.state), reason_for(report)}; }

Error connect_error(std::string_view words) {
  if (const auto at = find_state(words)) {
    const std::string_view state = words.substr(*at, kStateBytes);
    std::string_view message = words.substr(*at + kStateBytes + 1);  // behind the colon
    message = message.substr(0, message.find('\n'));
    if (message.starts_with(' ')) message.remove_prefix(1);
    return to_error({.state = state, .message = message});
  }
  return lost_error(words);
}

Error lost_error(std::string_view why) {
  const std::string cleaned = clean(why);
  return {
      ErrorCode::unavailable,
      "the server cannot be reached, or the connection was lost; check the URL and the network, "
      "then try again" +
          (cleaned.empty() ? "" : " (" + cleaned + ")")};
}

}  // namespace weft::postgres

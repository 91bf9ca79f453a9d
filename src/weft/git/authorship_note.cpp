#include "weft/git/authorship_note.hpp"

#include "weft/base/ascii.hpp"
#include "weft/base/json.hpp"
#include "weft/base/try.hpp"
#include "weft/git/parsing.hpp"

namespace weft::git {
namespace {

std::unexpected<Error> no_note(std::string_view why) {
  return fail(ErrorCode::invalid_input, "not a note of git-ai: " + std::string(why));
}

// The agent's id of the session that a key names; empty for a person's or an unknown key.
std::string session_of(std::string_view key, const json::object& records) {
  if (key.starts_with("h_")) return {};
  const bool is_session = key.starts_with("s_");
  if (is_session) key = key.substr(0, key.find("::"));
  const json::object* all = find_object(records, is_session ? "sessions" : "prompts");
  const json::object* record = all == nullptr ? nullptr : find_object(*all, key);
  const json::object* agent = record == nullptr ? nullptr : find_object(*record, "agent_id");
  return agent == nullptr ? std::string() : std::string(find_string(*agent, "id").value_or(""));
}

// "1-10,15"
Status read_ranges(std::string_view ranges, const AuthorshipClaim& claim,
                   std::vector<AuthorshipClaim>& claims) {
  while (!ranges.empty()) {
    std::string_view range = cut_off(ranges, ',');
    const auto first = parse_number<std::size_t>(cut_off(range, '-'));
    const auto last = range.empty() ? first : parse_number<std::size_t>(range);
    if (!first || !last || *first == 0 || *last < *first) return no_note("a range of lines");
    if (claim.session.empty()) continue;
    claims.push_back(claim);
    claims.back().first = *first;
    claims.back().last = *last;
  }
  return {};
}

}  // namespace

Result<std::vector<AuthorshipClaim>> parse_authorship_note(std::string_view text) {
  constexpr std::string_view kFence = "---\n";
  std::size_t fence = text.starts_with(kFence) ? 0 : text.find("\n---\n");
  if (fence == std::string_view::npos) return no_note("it has no line ---");
  if (fence > 0) ++fence;
  WEFT_TRY_VALUE(const ParsedJson parsed, parse_json(text.substr(fence + kFence.size())));
  const json::object* records = parsed.value.if_object();
  if (records == nullptr ||
      !find_string(*records, "schema_version").value_or("").starts_with("authorship/3.")) {
    return no_note("its schema_version is not authorship/3");
  }
  std::string_view lines = text.substr(0, fence);
  std::vector<AuthorshipClaim> claims;
  AuthorshipClaim claim;
  while (!lines.empty()) {
    std::string_view line = cut_off(lines, '\n');
    if (is_blank(line)) continue;
    if (!line.starts_with("  ")) {
      // A path with white space is in quotes, without escapes.
      const bool is_quoted = line.size() > 1 && line.starts_with('"') && line.ends_with('"');
      claim.path = is_quoted ? line.substr(1, line.size() - 2) : line;
      continue;
    }
    line = trim(line);
    if (claim.path.empty()) return no_note("lines of no file");
    claim.session = session_of(cut_off(line, ' '), *records);
    WEFT_TRY(read_ranges(trim(line), claim, claims));
  }
  return claims;
}

}  // namespace weft::git

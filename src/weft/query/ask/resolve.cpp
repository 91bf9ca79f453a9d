#include <algorithm>

#include "weft/query/ask/foreigners.hpp"
#include "weft/query/library.hpp"

#include "weft/base/try.hpp"

namespace weft::query {
namespace {

constexpr std::size_t kMinPrefix = 8;
constexpr std::size_t kAllDigits = 64;

bool is_hex(std::string_view text) {
  return std::ranges::all_of(
      text, [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

// The hex digits of a CID or of the beginning of one; empty if it is neither.
std::optional<std::string_view> prefix_digits(std::string_view text) {
  if (text.starts_with(Cid::kPrefix)) text.remove_prefix(Cid::kPrefix.size());
  if (text.size() < kMinPrefix || text.size() > kAllDigits || !is_hex(text)) return std::nullopt;
  return text;
}

Result<store::ConversationRow> by_session(const Library& library, std::string_view text) {
  const auto find = [&](std::optional<std::string> format, std::string_view session) {
    return library.web.conversations(
        {.format = std::move(format), .session_id = std::string(session)});
  };
  Result<std::vector<store::ConversationRow>> rows = find({}, text);
  if (!rows) return fail(std::move(rows).error());
  if (const std::size_t colon = text.find(':'); rows->empty() && colon != std::string_view::npos) {
    rows = find(std::string(text.substr(0, colon)), text.substr(colon + 1));
    if (!rows) return fail(std::move(rows).error());
  }
  if (rows->empty()) {
    return fail(ErrorCode::not_found, "no conversation has that name (weft list shows them all)");
  }
  std::vector<store::ConversationRow> primary;
  std::ranges::copy_if(*rows, std::back_inserter(primary),
                       [](const store::ConversationRow& row) { return row.source == "primary"; });
  if (primary.empty()) primary = *rows;
  Foreigners(library).prefer_own(primary);
  if (primary.size() == 1) return primary.front();
  std::string choices;
  for (const store::ConversationRow& row : primary) {
    choices += (choices.empty() ? "" : ", ") + row.format + ":" + row.session_id + " (" +
               row.cid.brief() + ")";
  }
  return fail(ErrorCode::invalid_input, "several conversations have that name: " + choices);
}

}  // namespace

Result<Cid> resolve_thought(const Library& library, std::string_view text) {
  const auto digits = prefix_digits(text);
  if (!digits) {
    return fail(ErrorCode::invalid_input,
                "not a CID: expected cid:blake3: and 64 hex digits, or at least 8 of the digits");
  }
  WEFT_TRY_VALUE(auto found, library.web.find_by_prefix(*digits, 3));
  // A forgotten thought is not found either, but the message says so.
  if (found.empty() && digits->size() == kAllDigits) {
    Result<Cid> cid = Cid::parse(std::string(Cid::kPrefix) + std::string(*digits));
    if (!cid) return cid;
    WEFT_TRY_VALUE(auto thought, library.web.get(*cid));
    return *cid;  // it was stored just now
  }
  if (found.empty())
    return fail(ErrorCode::not_found, "no thought begins with " + std::string(*digits));
  if (found.size() > 1) {
    return fail(ErrorCode::invalid_input, "several thoughts begin with " + std::string(*digits) +
                                              ": " + found[0].brief(20) + ", " +
                                              found[1].brief(20) + (found.size() > 2 ? ", …" : ""));
  }
  return found.front();
}

Result<store::ConversationRow> resolve_conversation(const Library& library, std::string_view text) {
  if (prefix_digits(text)) {
    Result<Cid> cid = resolve_thought(library, text);
    if (cid) {
      Result<store::ConversationRow> row = library.web.conversation(*cid);
      if (row || row.error().code != ErrorCode::not_found) return row;
      return fail(ErrorCode::invalid_input, "that thought is not a conversation");
    }
    if (cid.error().code != ErrorCode::not_found || text.starts_with(Cid::kPrefix)) {
      return fail(std::move(cid).error());
    }
  }
  return by_session(library, text);
}

}  // namespace weft::query

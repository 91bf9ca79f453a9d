#include <algorithm>
#include <charconv>

#include "weft/query/ask/foreigners.hpp"
#include "weft/query/library.hpp"
#include "weft/query/questions.hpp"

#include "weft/base/try.hpp"

namespace weft::query {
namespace {

constexpr std::size_t kMinPrefix = 8;
constexpr std::string_view kUrlScheme = "weft:";  // of a CID in an agent trace
constexpr std::size_t kAllDigits = 64;

bool is_hex(std::string_view text) {
  return std::ranges::all_of(
      text, [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

// The hex digits of a CID, also as a URL, or of the beginning of one; empty if it is neither.
std::optional<std::string_view> prefix_digits(std::string_view text) {
  if (text.starts_with(kUrlScheme)) text.remove_prefix(kUrlScheme.size());
  if (text.starts_with(Cid::kPrefix)) text.remove_prefix(Cid::kPrefix.size());
  if (text.size() < kMinPrefix || text.size() > kAllDigits || !is_hex(text)) return std::nullopt;
  return text;
}

constexpr std::size_t kMinSessionPrefix = 4;

// The conversations whose session id begins with `text`, or with what follows `format:` in it.
Result<std::vector<store::ConversationRow>> by_session_prefix(const Library& library,
                                                              std::string_view text) {
  WEFT_TRY_VALUE(auto rows, library.web.conversations({}));
  std::erase_if(rows, [&](const store::ConversationRow& row) {
    std::string_view prefix = text;
    if (prefix.starts_with(row.format + ":")) prefix.remove_prefix(row.format.size() + 1);
    return prefix.size() < kMinSessionPrefix || !row.session_id.starts_with(prefix);
  });
  return rows;
}

// The number that `last` or `@N` stands for, from 1; empty for any other text.
std::optional<std::uint64_t> rank_of(std::string_view text) {
  if (text == "last") return 1;
  if (!text.starts_with('@')) return std::nullopt;
  std::uint64_t rank = 0;
  const auto [end, error] = std::from_chars(text.data() + 1, text.data() + text.size(), rank);
  if (error != std::errc() || end != text.data() + text.size() || rank == 0) return std::nullopt;
  return rank;
}

// Counts sessions as `weft list` does, without their subagents.
Result<store::ConversationRow> by_rank(const Library& library, std::uint64_t rank) {
  WEFT_TRY_VALUE(const auto listed, list(library, {.fold = true, .limit = 1, .offset = rank - 1}));
  const json::array& conversations = listed.at("conversations").as_array();
  if (conversations.empty()) {
    const std::uint64_t total = count_or_zero(listed, "total");
    return fail(ErrorCode::not_found, total == 0 ? "there are no conversations"
                                                 : "there are only " + std::to_string(total) +
                                                       " sessions (weft list shows them)");
  }
  WEFT_TRY_VALUE(const auto cid,
                 Cid::parse(find_string(conversations.front().as_object(), "cid").value_or("")));
  return library.web.conversation(cid);
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
  if (rows->empty()) rows = by_session_prefix(library, text);
  if (!rows) return fail(std::move(rows).error());
  if (rows->empty()) {
    return fail(ErrorCode::not_found, "no conversation has that name (weft list shows them all)");
  }
  std::vector<store::ConversationRow> primary;
  std::ranges::copy_if(*rows, std::back_inserter(primary),
                       [](const store::ConversationRow& row) { return row.source == "primary"; });
  if (primary.empty()) primary = *rows;
  Foreigners(library).prefer_own(primary);
  if (primary.size() == 1) return primary.front();
  constexpr std::size_t kShownChoices = 8;
  std::string choices;
  for (const store::ConversationRow& row : primary) {
    if (&row == primary.data() + kShownChoices) {
      choices += ", …";
      break;
    }
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
  if (const auto rank = rank_of(text)) return by_rank(library, *rank);
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

// wot_verify: checks every hash, signature, tree and chain.
#include <fmt/format.h>

#include <algorithm>

#include "weft/base/figures.hpp"
#include "weft/ingest/check_archive.hpp"
#include "weft/mcp/answers/argument_lookup.hpp"
#include "weft/mcp/answers/paging.hpp"
#include "weft/mcp/answers/rendering.hpp"
#include "weft/mcp/answers/server_context.hpp"
#include "weft/mcp/answers/shared_parameters.hpp"
#include "weft/mcp/protocol/tool.hpp"
#include "weft/query/verify/verify.hpp"

namespace weft::mcp {
namespace {

// Explains the verdict to readers who do not know the words.
std::string_view meaning_of(std::string_view verdict) {
  if (verdict == "valid") {
    return "Every hash, signature, tree and chain is valid, and the keyring identifies the signers "
           "(foreign thoughts are correctly signed by others).";
  }
  if (verdict == "consistent") {
    return "Every hash, signature, tree and chain is valid; without a keyring the signers are not "
           "identified.";
  }
  return "Something was changed, removed or damaged: do not rely on the thoughts listed below.";
}

// For a list that was too long for the answer, this member has its length.
std::string total_of(std::string_view list) { return std::string(list) + "_total"; }

std::string render(const json::object& answer) {
  const std::string verdict = text_or(answer, "verdict", "?");
  std::string out =
      fmt::format("{}: {} checked", verdict, count(count_or_zero(answer, "checked"), "thought"));
  for (const std::string_view member : {"valid", "trusted", "foreign", "consistent"}) {
    const std::uint64_t how_many = count_or_zero(answer, member);
    if (how_many > 0) out += fmt::format(", {} {}", count(how_many), member);
  }
  const json::array& bad = list_in(answer, "bad");
  const json::array& missing = list_in(answer, "missing");
  const json::array& tables = list_in(answer, "store");
  for (const std::string_view member : {"bad", "missing", "store"}) {
    const std::uint64_t shown = list_in(answer, member).size();
    const std::uint64_t all = std::max(shown, count_or_zero(answer, total_of(member)));
    if (all > 0) out += fmt::format(", {} {}", count(all), member);
    if (all > shown) out += fmt::format(" (the first {} are listed)", count(shown));
  }
  out += fmt::format("\n{}\nhead {}\n", meaning_of(verdict), text_or(answer, "head", "?"));
  for (const json::value& value : bad) {
    const json::object& entry = value.as_object();
    out += fmt::format("bad {}: {}\n", query::brief(text_or(entry, "cid", "?")),
                       text_or(entry, "reason", "?"));
  }
  for (const json::value& value : list_in(answer, "foreign_structure")) {
    const json::object& entry = value.as_object();
    out += fmt::format("foreign {}: {}\n", query::brief(text_or(entry, "cid", "?")),
                       text_or(entry, "reason", "?"));
  }
  for (const json::value& value : missing) {
    if (value.is_string()) out += "missing " + query::brief(view(value.get_string())) + "\n";
  }
  for (const json::value& value : tables) {
    const json::object& entry = value.as_object();
    out += fmt::format("store {}: {}; cure: {}\n", text_or(entry, "table", "?"),
                       text_or(entry, "what", "?"), text_or(entry, "cure", "?"));
  }
  return out;
}

Served<> verify(Call& call) {
  const query::Library library = call.context().library();
  query::VerifyOptions options{
      .control = {.stop = call.stop(), .progress = [&](std::uint64_t done, std::uint64_t all) {
                    call.progress(static_cast<double>(done), static_cast<double>(all),
                                  "checking hashes and signatures");
                  }}};
  if (const auto name = find_text_in(call.arguments(), "cid")) {
    const Status added = query::add_named(library, *name, options);
    if (!added) {
      return refused("cid '" + *name + "': " + added.error().message,
                     "List the conversations with wot_conversation_list {}; without cid everything "
                     "is checked: wot_verify {}.");
    }
  }
  if (const crypto::Keyring* keyring = call.context().keyring) {
    Result<std::vector<query::FurtherCheck>> archive =
        ingest::archive_checks(call.context().store, *keyring);
    if (!archive) return no_answer(call, archive.error());
    options.further = *std::move(archive);
  }
  Result<json::object> answer =
      query::verify(call.context().store, call.context().keyring, options);
  if (!answer) return no_answer(call, answer.error());
  for (const std::string_view list : {"bad", "missing", "foreign_structure", "signers", "store"}) {
    const std::size_t all = list_in(*answer, list).size();
    if (leave_out(*answer, list, room_in(call) / 2)) (*answer)[total_of(list)] = all;
  }
  return tool_result(call, *std::move(answer), render);
}

}  // namespace

const Tool& wot_verify_tool() {
  static const Tool tool = {
      .name = "wot_verify",
      .title = "Verify",
      .description =
          R"(Checks every hash, signature and chain of a thought, of a conversation with all in it, or without cid of the whole store (slow). Use it before you rely on a thought as evidence. Verdicts: valid (signed by the owner's keys), consistent (well signed, no keyring to say by whom), bad (with what and why). `head`, kept elsewhere, detects a rollback.)",
      .parameters = {{.name = "cid", .description = kConversationName, .longest = 1'000}},
      .example = R"({"cid": "3f2a91c0b1d2"})",
      .output_schema = R"({"type": "object", "properties": {
  "checked": {"type": "integer"}, "valid": {"type": "integer"},
  "trusted": {"type": "integer", "description": "well signed, by owners whom the keyring trusts"},
  "foreign": {"type": "integer", "description": "well signed, by others"},
  "consistent": {"type": "integer"},
  "bad": {"type": "array", "items": {"type": "object", "properties": {
    "cid": {"type": "string"}, "reason": {"type": "string"}}, "required": ["cid", "reason"]}},
  "bad_total": {"type": "integer", "description": "the length of the list, if it was cut"},
  "missing": {"type": "array", "items": {"type": "string"}},
  "missing_total": {"type": "integer", "description": "the length of the list, if it was cut"},
  "foreign_structure": {"type": "array", "description": "what others than a conversation's creator say about it; it counts for nothing", "items": {"type": "object", "properties": {
    "cid": {"type": "string"}, "conversation": {"type": ["string", "null"]},
    "reason": {"type": "string"}, "created_by": {"type": "string"},
    "key": {"type": ["string", "null"]}}, "required": ["cid", "conversation", "reason"]}},
  "foreign_structure_total": {"type": "integer", "description": "the length of the list, if it was cut"},
  "signers": {"type": "array", "description": "who made what the owner did not", "items": {"type": "object", "properties": {
    "name": {"type": "string"}, "key": {"type": "string"}, "trusted": {"type": "boolean"},
    "signatures": {"type": "integer"}}, "required": ["name", "key", "trusted", "signatures"]}},
  "signers_total": {"type": "integer", "description": "the length of the list, if it was cut"},
  "store": {"type": "array", "items": {"type": "object", "properties": {
    "table": {"type": "string"}, "what": {"type": "string"}, "cid": {"type": "string"},
    "cure": {"type": "string"}}, "required": ["table", "what", "cure"]},
    "description": "rows that are not signed, and are damaged"},
  "store_total": {"type": "integer", "description": "the length of the list, if it was cut"},
  "notes": {"type": "array", "items": {"type": "string"}},
  "head": {"type": "string"},
  "verdict": {"type": "string", "enum": ["valid", "consistent", "bad"]}},
  "required": ["checked", "valid", "foreign", "bad", "missing", "head"]})",
      .pace = Tool::Pace::slow,
      .call = verify,
  };
  return tool;
}

}  // namespace weft::mcp

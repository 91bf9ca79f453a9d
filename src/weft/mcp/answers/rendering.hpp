// Builds the texts of answers for models.
//
// Our own sentences begin at the margin; text from transcripts stands below a label, indented, so
// that it cannot be mistaken for ours:
//
//   response 3f2a91c0b1d2 by claude-x, 2026-02-01T14:42:16.000Z
//   text:
//     There are 42 files.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "weft/base/json.hpp"
#include "weft/query/ask/summary_line.hpp"
#include "weft/query/library.hpp"

namespace weft::mcp {

// The text below its label; empty for an empty text.
void append_quoted(std::string& out, std::string_view label, std::string_view words);

// A short text, like a title, inside a sentence: in quotes, on one line, cut.
std::string in_quotes(std::string_view words);

// A member that is a text, or `otherwise`.
std::string text_or(const json::object& object, std::string_view member, std::string_view other);
// The objects of a list; empty if there is no such list.
const json::array& list_in(const json::object& object, std::string_view member);

// The notes of an answer, a line each.
std::string notes_in(const json::object& answer);

// " (foreign: not by the owner)" for what an answer marks so; empty for everything else.
std::string_view foreign_mark(const json::object& shown);
// The same for what weft record heard: " (witnessed by weft record)".
std::string_view witnessed_mark(const json::object& shown);

// "2026-02-01T14:42:16.000Z"; "at an unknown time" for 0.
std::string moment(const json::object& object, std::string_view member);

// The exact call to make next: wot_thought_get {"cid":"3f2a91c0b1d2"}. If `arguments` are those of
// the present call, a default max_chars is left out.
std::string call_of(std::string_view tool, const json::object& arguments);

// The snippet with the matches between **.
std::string marked_snippet(const json::object& result);

// "showing 21 to 40 of 113" and the like, for a list of `shown` from `offset` on.
std::string span_of(std::uint64_t offset, std::uint64_t shown, std::uint64_t total);

// A thought with its whole content: a line with its kind, creator, time and causes; below it its
// content, member by member.
void append_thought(std::string& out, const json::object& thought, query::Names& names);

// A turn of a session (query/sessions/exchanges.hpp): both sides' text, and the tools between them.
void append_session_turn(std::string& out, const json::object& turn);
// For sessions with turns that are marked as sealed.
std::string sealed_turns_note(const crypto::Keyring* keyring);

// A sentence on what is sealed in this answer, and which key opens it; empty if nothing is.
std::string sealed_note(const json::object& structured, const crypto::Keyring* keyring);

}  // namespace weft::mcp

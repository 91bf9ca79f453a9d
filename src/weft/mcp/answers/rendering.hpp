// What the texts for models are made of.
//
// Our own sentences begin at the margin; words from transcripts stand below a label, indented, so
// that whatever they say cannot be taken for ours:
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

// The words below their label; nothing at all for no words.
void append_quoted(std::string& out, std::string_view label, std::string_view words);

// A short one, like a title, on a line of ours: between quotes, on one line, cut.
std::string in_quotes(std::string_view words);

// A member that is a text, or what to say in its place.
std::string text_or(const json::object& object, std::string_view member, std::string_view other);
// A member that is a whole number; 0 if it is none.
std::uint64_t number_in(const json::object& object, std::string_view member);
// The objects of a list; empty if there is no such list.
const json::array& list_in(const json::object& object, std::string_view member);

// "2026-02-01T14:42:16.000Z"; "at an unknown time" for 0.
std::string moment(const json::object& object, std::string_view member);

// The exact call that goes on: wot_thought_get {"cid":"3f2a91c0b1d2"}. Where `arguments` are those
// of the call at hand, a max_chars that nobody gave is left out.
std::string call_of(std::string_view tool, const json::object& arguments);

// The snippet with what matched between **.
std::string marked_snippet(const json::object& result);

// "showing 21 to 40 of 113" and the like, for a list of `shown` from `offset` on.
std::string span_of(std::uint64_t offset, std::uint64_t shown, std::uint64_t total);

// A thought with all that it says: a line for what it is, who made it, when, and because of what;
// below it its content, member by member.
void append_thought(std::string& out, const json::object& thought, query::Names& names);

// A turn of a session (query/sessions/exchanges.hpp): both sides' words, and the tools between
// them.
void append_session_turn(std::string& out, const json::object& turn);
// For sessions with turns that are marked as sealed.
std::string sealed_turns_note(const crypto::Keyring* keyring);

// A sentence on what is sealed in this answer, and which key opens it; empty where nothing is.
std::string sealed_note(const json::object& structured, const crypto::Keyring* keyring);

}  // namespace weft::mcp

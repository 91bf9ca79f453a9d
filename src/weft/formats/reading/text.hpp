// Text helpers for readers: trimming, titles, paths, and short hashes for a reader's state.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weft::formats {

inline constexpr std::string_view kBlanks = " \t\r\n";

// `text` without the blanks around it. All views returned here point into the argument.
std::string_view trim(std::string_view text);

// `text` on one line, at most `limit` code points: for titles.
std::string one_line(std::string_view text, std::size_t limit);
// The first line that is not blank, at most `limit` code points.
std::string first_line(std::string_view text, std::size_t limit);

// "Git-Branch" → "git_branch": lower case, with underscores for blanks and dashes.
std::string normal_key(std::string_view key);

// The last component of a path, with either kind of slash; trailing ones do not count.
std::string_view last_component(std::string_view path);
// A path without its last component; empty if there is only one.
std::string_view parent_folder(std::string_view path);
// All components; none is empty.
std::vector<std::string_view> components(std::string_view path);
// A file's name without its last suffix.
std::string_view stem_of(std::string_view name);

// Whether `name` is one of `names`.
bool is_one_of(std::string_view name, std::span<const std::string_view> names);

// "aa9fe6c5-7e2e-494c-a2e1-1b3d8886658f", in either case.
bool is_uuid(std::string_view text);

// Eight bytes that stand for a text in a reader's state. The quick hash (XXH3) takes a tenth of the
// time, for callers that hash ten times a record, but does not resist forged collisions.
std::uint64_t hash_of(std::string_view text);
std::uint64_t quick_hash_of(std::string_view text);

}  // namespace weft::formats

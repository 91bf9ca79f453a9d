// An Adapter describes one format that weft reads. A format is one folder: adapters/NAME/, whose
// adapter.cpp defines `const Adapter& NAME_adapter()`. The build finds it; there is no list to
// edit, and no folder includes another's. docs/adapters.md shows how to write one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weft/base/result.hpp"
#include "weft/formats/database_shape.hpp"
#include "weft/formats/framing/framing.hpp"
#include "weft/formats/reader.hpp"
#include "weft/formats/tree_shape.hpp"
#include "weft/transcript/conversation.hpp"

namespace weft::formats {

// The number of bytes that recognition sees: the start of a file, without a byte order mark.
inline constexpr std::size_t kHeadBytes = 64u << 10;
// That part of `bytes`; points into them.
std::string_view head_of(std::string_view bytes);

// How sure an adapter is that a file is its own.
enum class Confidence { no, maybe, yes };

// A variable of the environment; empty if it is not set.
using Environment = std::function<std::optional<std::string>(std::string_view name)>;

// Identifies the conversation of a request to an API, before the request is read.
struct ConversationKey {
  // Equal for all requests of one conversation, and for requests that begin alike.
  std::string key;
  // The answer that the request continues, if it names one instead of repeating the history:
  // then it belongs to that answer's conversation.
  std::string after{};
};

// A conversation written in a format, and notes on what was left out of it or added for the
// format's sake.
struct Written {
  std::string text;
  std::vector<std::string> notes{};  // "2 × failure, left out"; never quotes the conversation
};

struct Adapter {
  std::string_view name;    // as the user types it: "claude-code"
  std::string_view family;  // the first half of its thoughts' types: "anthropic"
  int version = 1;          // raised when the same bytes would give other values
  // Decides on head_of() the file, which may end anywhere within it.
  Confidence (*recognises)(std::string_view head);
  std::unique_ptr<Framer> (*frame)(std::string_view head);
  std::unique_ptr<Reader> (*open)(const SourceInfo& info);

  // Its files only ever grow by whole records, so reading resumes where it stopped. Requires
  // line_framer(). Any other changed file is read again from the start.
  bool grows = false;
  // The folders in which its tool keeps conversations on this machine, whether they exist or
  // not; null if it keeps none. HOME and the like come from `environment`.
  std::vector<std::string> (*folders)(const Environment& environment) = nullptr;
  // If a file must be ignored because of its name, the reason ("backup", "sidecar"); otherwise
  // empty. `path` may be of any depth. Null: no file is ignored.
  std::optional<std::string> (*ignore_reason)(std::string_view path) = nullptr;
  // The same for a folder with everything in it. Null: no folder is ignored.
  std::optional<std::string> (*ignore_folder_reason)(std::string_view path) = nullptr;
  // The project of a conversation, from its file's path and first bytes; empty if neither shows
  // it. The name of one project never depends on another's. Null: there are no projects.
  std::string (*project)(std::string_view path, std::string_view head) = nullptr;
  // How many folders above a file's own SourceInfo::beside may reach. No more than the tool
  // needs: a transcript may be hostile, and secrets may lie there.
  int reach = 1;
  // How its conversations are stored in SQLite databases; null if they are not.
  const DatabaseShape* database = nullptr;
  // How its conversations are stored in many small files each; null if they are not.
  const TreeShape* tree = nullptr;

  // Writes a conversation in this format; null if it cannot. The text reads back to the same
  // blocks, as far as the format can hold them.
  Result<Written> (*write)(const transcript::Conversation& conversation) = nullptr;
  // The name of the format that `write` writes, if it is not the adapter's name.
  std::string_view writes_as{};

  // For logs of an API: the conversation of a request body. It agrees with how the reader separates
  // conversations apart, so that a recorder can keep one reader for each. All unreadable
  // requests share one key. Null for all other formats.
  ConversationKey (*conversation_key)(std::string_view request) = nullptr;
  // The name by which a later request continues this answer, a body or the text of a stream;
  // empty if it has none. Null if the API has no such names.
  std::string (*answer_name)(std::string_view response) = nullptr;
};

// Every adapter of the build, by name.
std::span<const Adapter* const> all_adapters();

// Null if there is none of that name.
const Adapter* find_adapter(std::string_view name);

// The names of all formats that can be written, and the adapter that writes one; null for any
// other name.
std::vector<std::string_view> all_forms();
const Adapter* find_form(std::string_view name);

// The one adapter that is surest of `head`, a file's first kHeadBytes or more.
// invalid_input, naming what was seen, if none claims it or two are equally sure.
Result<const Adapter*> recognise(std::string_view head);

// Reads all of `bytes` with `adapter`: frame, read, finish. For tests and small inputs.
void read_all(const Adapter& adapter, const SourceInfo& info, std::string_view bytes,
              transcript::Sink& sink);

// The report of a record beyond kMaxRecordBytes.
transcript::Skipped skipped_oversize(std::uint64_t line, std::uint64_t bytes);

}  // namespace weft::formats

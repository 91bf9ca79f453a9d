// Attribution: from the lines of a file to the edits that wrote them.
//
// A line is answered by an edit of the same file that was made after the previous commit of the
// file and before the commit that git blames for the line, by author times, with five seconds to
// spare. Of several the newest counts. How sure an answer is follows from its rule:
//
// | rule | what holds | sure |
// |---|---|---|
// | replayed | the texts before and after the edits are known, and the line stands in the text that
//   they lead to, and in the commit | certain |
// | written | an edit wrote this line, and none took it away again; for an amended commit also up
// to
//   its committer time | likely |
// | reported | the commit itself names the call, or the session, for this line (reports.hpp) |
// likely
//   if an edit of that call or session wrote the line, otherwise weak |
// | earlier | an edit wrote this line, but before the previous commit of the file | weak |
//
// Lines are compared without white space, so that a formatter that only moves them changes nothing.
// Each line that an edit wrote answers one line. A line that is too short to be recognised is
// answered only beside another one of the same edit and commit. An edit that failed, or that a fork
// repeats, answers nothing. Outside git only the first rule applies.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "weft/query/edits/blamed_file.hpp"
#include "weft/query/edits/known_edits.hpp"

namespace weft::query {

enum class BlameRule { replayed, written, reported, earlier };

struct LineAnswer {
  std::optional<std::size_t> edit{};  // in Attribution::edits
  BlameRule rule = BlameRule::written;
  // For `reported`: "Weft-Thought" or "git-ai", and without an edit the conversation.
  std::string_view reported_by{};
  std::optional<Cid> conversation{};
  friend bool operator==(const LineAnswer&, const LineAnswer&) = default;
};

// Names as answers state them: "replayed", and "certain".
std::string_view name_of(BlameRule rule);
std::string_view sureness_of(const LineAnswer& answer);
// Whether the answer is certain or likely.
bool is_sure(const LineAnswer& answer);

struct Attribution {
  std::vector<KnownEdit> edits{};                  // of the file under its names, by time
  std::vector<std::optional<LineAnswer>> lines{};  // one for each line of the file
  std::vector<bool> has_edits{};                   // by source: whether edits of the file are known
  std::uint64_t sealed = 0;                        // as of KnownEdits
};

// Loads the contents of the file's sources as needed.
Result<Attribution> attribute(const Library& library, BlamedFile& file,
                              const QueryControl& control);

}  // namespace weft::query

// BlamedFile: the lines of a file, and for each the commit that git says it comes from, with the
// span of time in which that commit's lines of this file were written.
#pragma once

#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "weft/git/git.hpp"

namespace weft::query {

// Where lines come from: a commit; the changes that are not committed; or, outside git, nowhere.
struct LineSource {
  std::optional<git::Origin> commit{};
  std::vector<std::string> paths{};  // of the file: in the commit and, if it renamed it, before
  // Written after the previous commit of the file and up to this one, by author time.
  Millis after = std::numeric_limits<Millis>::min();
  Millis until = std::numeric_limits<Millis>::max();
  std::string blob{};  // the name of what the commit left of the file; empty if it is not known
  std::optional<std::string> content{};  // of the file there, if it was loaded
};

struct FileLine {
  std::string_view text{};        // without its end; points into BlamedFile::content
  std::size_t source = 0;         // in BlamedFile::sources
  std::size_t source_number = 0;  // of the line in the content of its source, from 1
};

struct BlamedFile {
  BlamedFile() = default;
  BlamedFile(BlamedFile&&) = default;  // the lines point into the heap
  BlamedFile& operator=(BlamedFile&&) = default;

  std::filesystem::path path{};  // absolute, links resolved
  std::string shown_path{};      // below the root of the repository, or absolute without one
  std::optional<git::Repository> repository{};
  bool is_in_git = false;         // the file lies in a repository, and git is installed
  std::string revision{};         // the commit; empty for the working file
  std::size_t line_count = 0;     // of the whole file
  std::size_t first = 1;          // the number of the first of `lines`
  std::vector<FileLine> lines{};  // the whole file, or the lines asked for and some around them
  std::vector<LineSource> sources{};
  std::vector<std::string> notes{};  // for people

  std::unique_ptr<std::string> content{};
};

struct BlamedFileOptions {
  std::optional<std::string> revision{};  // without it the working file
  std::optional<git::LineRange> range{};  // without it every line
  Millis now = 0;
  std::stop_token stop{};
};

// Files that are larger are refused.
inline constexpr std::size_t kMostBlamedBytes = 32u << 20;

// The lines of a text without their ends, which may be CRLF. They point into it.
std::vector<std::string_view> lines_of(std::string_view text);

// not_found if there is no such file, or not in that commit. denied for a repository of another
// user. invalid_input for a directory, a file that is too large or no text, and a range beyond its
// end. Without git, or outside a repository, all lines have one source; `notes` say why.
Result<BlamedFile> read_blamed_file(const std::filesystem::path& path,
                                    const BlamedFileOptions& options);

// Loads the contents of these sources, as far as they are known and not too large in total.
Status load_contents(BlamedFile& file, const std::vector<std::size_t>& sources,
                     const std::stop_token& stop);

}  // namespace weft::query

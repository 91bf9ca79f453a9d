// Describes a format that spreads each conversation over many small files. One file stands for
// the conversation, and the others are found from it. They are read as JSON lines by the format's
// own reader; ingest opens the files.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace weft::formats {

struct SourceInfo;

struct TreeShape {
  // For the file that stands for a conversation: the folder in which some file changes whenever
  // the conversation does, relative to the file's own folder. Empty for any other file.
  std::string (*folder)(std::string_view path);
  // Calls `line` with the contents of the conversation's files, in order: one JSON text a line.
  // `text` is that of the file that stands for the conversation; `info` gives the others.
  void (*lines)(const SourceInfo& info, std::string_view text,
                const std::function<void(std::string_view)>& line);
};

}  // namespace weft::formats

// A format whose conversations lie each in many small files: how they are read out of these, as
// JSON lines, for the format's own reader. One file stands for the conversation; the others are
// found from it. Adapters say which; whoever opens files opens them.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace weft::formats {

struct SourceInfo;

struct TreeShape {
  // Of the file that stands for a conversation: the folder of which a file changes whenever the
  // conversation does, relative to the file's own. Empty for any other file.
  std::string (*folder)(std::string_view path);
  // Calls `line` for all that the conversation's files say, in order: one JSON text each, on one
  // line. `text` is that of the file that stands for it; the others come from `info`.
  void (*lines)(const SourceInfo& info, std::string_view text,
                const std::function<void(std::string_view)>& line);
};

}  // namespace weft::formats

// The width and colours of an output stream: those of a terminal, or none for a file or a pipe.
#pragma once

#include <cstddef>
#include <cstdio>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace weft::cli {

enum class Colour { none, red, green, yellow, blue, magenta, cyan, faint, bold, italic };

// The screens of weft's page that names in the output link to.
enum class Screen { none, thought, conversation };

// The layout of a page. The default is that of a pipe: no colours, no links, unlimited width.
struct Style {
  static constexpr std::size_t kUnlimited = std::numeric_limits<std::size_t>::max();
  bool colours = false;
  std::size_t width = kUnlimited;
  // The address of weft's page, to which CIDs link: "http://127.0.0.1:4737". Empty: no links.
  std::string page{};

  // `text` in that colour, or unchanged.
  std::string paint(Colour colour, std::string_view text) const;
  // `cid`, whole or its first digits, as a link to that screen; or unchanged. It is as wide as
  // before.
  std::string link(Screen screen, std::string_view cid) const;
  // `text` with the first such `cid` in it as a link.
  std::string link_in(std::string_view text, Screen screen, std::string_view cid) const;
};

enum class ColourChoice { automatic, always, never };

// The environment variables used here.
struct TerminalEnvironment {
  bool no_colour = false;                // NO_COLOR is set to something
  bool dumb = false;                     // TERM says dumb
  bool no_links = false;                 // WEFT_NO_LINKS is set to something, or TERM says linux
  bool is_remote = false;                // SSH_CONNECTION is set: loopback is another machine's
  std::optional<std::size_t> columns{};  // COLUMNS, for terminals that do not say
};

bool is_terminal(std::FILE* file);
// The height of the terminal in lines; empty for a file or a pipe, or if it does not say.
std::optional<std::size_t> terminal_rows(std::FILE* file);
Style style_of(std::FILE* file, ColourChoice choice, const TerminalEnvironment& environment);
// Whether links may be written: to a terminal that is in front of this machine and not dumb.
bool takes_links(std::FILE* file, const TerminalEnvironment& environment);

}  // namespace weft::cli

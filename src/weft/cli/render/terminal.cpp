#include "weft/cli/render/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

namespace weft::cli {
namespace {

// A terminal narrower than this is not a real one: the page cannot be laid out in it.
constexpr std::size_t kMinWidth = 20;
constexpr std::size_t kUsualWidth = 80;

std::string_view code_of(Colour colour) {
  switch (colour) {
    case Colour::none: return "";
    case Colour::red: return "\x1b[31m";
    case Colour::green: return "\x1b[32m";
    case Colour::yellow: return "\x1b[33m";
    case Colour::blue: return "\x1b[34m";
    case Colour::magenta: return "\x1b[35m";
    case Colour::cyan: return "\x1b[36m";
    case Colour::faint: return "\x1b[2m";
    case Colour::bold: return "\x1b[1m";
    case Colour::italic: return "\x1b[3m";
  }
  return "";
}

std::size_t width_of(std::FILE* file, const TerminalEnvironment& environment) {
  winsize size{};
  if (::ioctl(::fileno(file), TIOCGWINSZ, &size) == 0 && size.ws_col >= kMinWidth) {
    return size.ws_col;
  }
  const std::size_t columns = environment.columns.value_or(kUsualWidth);
  return columns >= kMinWidth ? columns : kUsualWidth;
}

}  // namespace

std::string Style::paint(Colour colour, std::string_view text) const {
  if (!colours || colour == Colour::none || text.empty()) return std::string(text);
  std::string out(code_of(colour));
  out.append(text).append("\x1b[0m");
  return out;
}

// OSC 8: a terminal that does not know it shows the text alone.
std::string Style::link(Screen screen, std::string_view cid) const {
  if (page.empty() || screen == Screen::none || cid.empty()) return std::string(cid);
  const std::string_view path = screen == Screen::thought ? "/t/" : "/c/";
  std::string out = "\x1b]8;;";
  out.append(page).append(path).append(cid).append("\x1b\\").append(cid);
  return out.append("\x1b]8;;\x1b\\");
}

std::string Style::link_in(std::string_view text, Screen screen, std::string_view cid) const {
  const std::size_t at = text.find(cid);
  std::string out(text);
  if (!page.empty() && !cid.empty() && at != std::string_view::npos)
    out.replace(at, cid.size(), link(screen, cid));
  return out;
}

bool is_terminal(std::FILE* file) { return ::isatty(::fileno(file)) == 1; }

std::optional<std::size_t> terminal_rows(std::FILE* file) {
  winsize size{};
  if (::ioctl(::fileno(file), TIOCGWINSZ, &size) != 0 || size.ws_row == 0) return std::nullopt;
  return size.ws_row;
}

Style style_of(std::FILE* file, ColourChoice choice, const TerminalEnvironment& environment) {
  const bool terminal = is_terminal(file);
  Style style;
  style.colours =
      choice == ColourChoice::always || (choice == ColourChoice::automatic && terminal &&
                                         !environment.no_colour && !environment.dumb);
  if (terminal) style.width = width_of(file, environment);
  return style;
}

bool takes_links(std::FILE* file, const TerminalEnvironment& environment) {
  return is_terminal(file) && !environment.dumb && !environment.no_links && !environment.is_remote;
}

}  // namespace weft::cli

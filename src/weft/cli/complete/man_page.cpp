#include "weft/cli/complete/man_page.hpp"

#include <fmt/format.h>

#include "weft/cli/app/command_shape.hpp"
#include "weft/cli/app/help.hpp"

namespace weft::cli {
namespace {

// roff reads a backslash as the beginning of a sequence, a hyphen as one that may be broken, and a
// line that begins with a dot or a quote as a request.
std::string roff(std::string_view text) {
  std::string out;
  bool begins = true;
  for (const char c : text) {
    if (begins && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\') out += "\\e";
    else if (c == '-') out += "\\-";
    else out += c;
    begins = c == '\n';
  }
  return out;
}

std::string head(std::string_view name, std::string_view summary) {
  return fmt::format(".TH {} 1 \"\" \"weft {}\" \"weft\"\n.SH NAME\n{} \\- {}\n", roff(name),
                     WEFT_VERSION, roff(name), roff(summary));
}

std::string as_it_is(std::string_view text) { return ".nf\n" + roff(text) + "\n.fi\n"; }

std::string options_of(const CommandShape& shape, bool global) {
  std::string out;
  for (const OptionShape& option : shape.options) {
    if (option.is_global != global) continue;
    std::string names;
    for (const std::string& name : option.names) {
      names += (names.empty() ? "" : ", ") + std::string("\\fB") + roff(name) + "\\fR";
    }
    if (!option.value.empty()) names += " \\fI" + roff(option.value) + "\\fR";
    out += ".TP\n" + names + "\n" + roff(option.help) + "\n";
  }
  return out;
}

}  // namespace

std::string man_page() {
  return head("weft", "search, read and verify conversations with AI") +
         ".SH SYNOPSIS\n\\fBweft\\fR [\\fICOMMAND\\fR] [\\fIARGUMENTS\\fR] [\\fIOPTIONS\\fR]\n"
         ".SH DESCRIPTION\n" +
         as_it_is(overview());
}

std::string man_page(const Command& command) {
  const CommandShape shape = shape_of(command);
  std::string synopsis = fmt::format("\\fBweft {}\\fR", roff(command.name));
  for (const OptionShape& option : shape.options) {
    if (option.is_positional) synopsis += " [\\fI" + roff(option.names.front()) + "\\fR]";
  }
  std::string page = head("weft-" + std::string(command.name), command.summary) + ".SH SYNOPSIS\n" +
                     synopsis + " [\\fIOPTIONS\\fR]\n.SH DESCRIPTION\n" + as_it_is(command.about);
  for (const auto& [name, help] : shape.actions) {
    page +=
        fmt::format(".TP\n\\fBweft {} {}\\fR\n{}\n", roff(command.name), roff(name), roff(help));
  }
  page += ".SH OPTIONS\n" + options_of(shape, false) + ".SS Options of every command\n" +
          options_of(shape, true) + ".SH EXAMPLES\n" + as_it_is(command.examples) +
          ".SH SEE ALSO\n" + roff(command.see_also) + "\n";
  return page;
}

}  // namespace weft::cli

// A shell command that writes a file from a here-document with a literal body:
//
//   cat > a.py <<'EOF'
//   x = 1
//   EOF
//
// Nothing else of a shell command is understood. The path must be a plain word.
#include "weft/edits/shape.hpp"

namespace weft::edits {
namespace {

bool fits(std::string_view tool) {
  return tool == "bash" || tool == "shell" || tool == "shellcommand" || tool == "execcommand" ||
         tool == "runshellcommand" || tool == "runterminalcmd" || tool == "exec";
}

bool is_plain(std::string_view word) {
  return !word.empty() &&
         word.find_first_of("$`*?[]{}()<>|&;\"'\\ \t\n~") == std::string_view::npos;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

struct Redirect {
  std::string_view path;
  std::string_view end;  // the word that ends the document
  bool appends = false;
};

// Reads "cat > PATH <<'WORD'" and "cat <<'WORD' > PATH".
std::optional<Redirect> redirect_of(std::string_view line) {
  line = trimmed(line);
  if (!line.starts_with("cat ")) return std::nullopt;
  line = trimmed(line.substr(4));
  Redirect redirect;
  while (!line.empty()) {
    if (line.starts_with("<<")) {
      line = trimmed(line.substr(2));
      const char quote = line.empty() ? ' ' : line.front();
      const std::size_t close = line.find(quote, 1);
      if ((quote != '\'' && quote != '"') || close == std::string_view::npos) return std::nullopt;
      redirect.end = line.substr(1, close - 1);
      line = trimmed(line.substr(close + 1));
    } else if (line.starts_with('>')) {
      redirect.appends = line.starts_with(">>");
      line = trimmed(line.substr(redirect.appends ? 2 : 1));
      const std::size_t end = line.find_first_of(" \t");
      redirect.path = line.substr(0, end);
      line = end == std::string_view::npos ? std::string_view() : trimmed(line.substr(end));
    } else {
      return std::nullopt;
    }
  }
  if (!is_plain(redirect.path) || redirect.end.empty()) return std::nullopt;
  return redirect;
}

std::vector<Edit> read(const Call& call) {
  const json::object* arguments = arguments_of(call);
  const auto command =
      arguments == nullptr ? std::nullopt : text_of(*arguments, {"command", "cmd", "script"});
  std::vector<Edit> edits;
  std::string_view rest = command.value_or("");
  while (!rest.empty()) {
    const std::size_t end = rest.find('\n');
    if (end == std::string_view::npos) break;
    const auto redirect = redirect_of(rest.substr(0, end));
    rest.remove_prefix(end + 1);
    if (!redirect) continue;
    const std::string close = std::string(redirect->end);
    std::string body;
    bool is_closed = false;
    while (!rest.empty() && !is_closed) {
      const std::string_view line = next_line(rest);
      is_closed = line == close;
      if (!is_closed) body.append(line).append("\n");
    }
    if (!is_closed) break;
    Edit edit{.path = std::string(redirect->path)};
    if (redirect->appends) {
      edit.changes.push_back({"", std::move(body)});
    } else {
      edit.kind = Edit::Kind::write;
      edit.after = std::move(body);
    }
    edits.push_back(std::move(edit));
  }
  return edits;
}

}  // namespace

const Shape& here_document_shape() {
  static const Shape shape = {.name = "here_document", .fits = fits, .read = read};
  return shape;
}

}  // namespace weft::edits

#include "weft/cli/read/markdown_export.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "weft/base/time.hpp"
#include "weft/cli/read/call_line.hpp"
#include "weft/cli/read/edits.hpp"
#include "weft/cli/render/figures.hpp"
#include "weft/cli/render/summary_line.hpp"
#include "weft/cli/render/text.hpp"
#include "weft/query/questions.hpp"
#include "weft/query/secrets/secret_mask.hpp"
#include "weft/thought/thought.hpp"

namespace weft::cli {
namespace {

std::string text_in(const json::object& object, std::string_view member) {
  return std::string(find_string(object, member).value_or(""));
}

// Lines end with \n alone: Markdown takes a lone \r for an end, too.
std::string with_plain_ends(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\r') {
      out += text[i];
    } else if (i + 1 == text.size() || text[i + 1] != '\n') {
      out += '\n';
    }
  }
  return out;
}

std::size_t longest_run(std::string_view text, char of) {
  std::size_t longest = 0, run = 0;
  for (const char c : text) {
    run = c == of ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return longest;
}

std::string_view name_of(std::string_view role) {
  if (role == "human") return "Human";
  if (role == "model" || role == "assistant") return "Assistant";
  if (role == "tool") return "Tool";
  return "Program";
}

// A value of the front matter: YAML reads a JSON string as it is.
std::string yaml(std::string_view text) { return canonical_json(json::string(text)); }

std::string as_diff(const Edits& edits) {
  std::string out;
  for (const EditLine& line : edits.lines) {
    out += line.sign == '@' ? std::string("@@ ") : std::string(1, line.sign);
    out += line.text + "\n";
  }
  return out;
}

}  // namespace

std::string quoted(std::string_view text) {
  const std::string plain = made_safe(with_plain_ends(text));
  std::string out;
  for (std::size_t at = 0; at <= plain.size();) {
    const std::size_t end = std::min(plain.find('\n', at), plain.size());
    out.append("> ").append(plain, at, end - at).append("\n");
    at = end + 1;
    if (at == plain.size()) break;  // the text ends with a newline
  }
  return out;
}

std::string fenced(std::string_view text, std::string_view info) {
  constexpr std::size_t kShortest = 3;
  std::string plain = made_safe(with_plain_ends(without_colours(text)));
  if (!plain.ends_with('\n')) plain += '\n';
  const std::string fence(std::max(kShortest, longest_run(plain, '`') + 1), '`');
  return fmt::format("{}{}\n{}{}\n", fence, info, plain, fence);
}

std::string inline_code(std::string_view text) {
  const std::string line = on_one_line(text);
  const std::string ticks(longest_run(line, '`') + 1, '`');
  const std::string_view space = ticks.size() > 1 ? " " : "";
  return fmt::format("{}{}{}{}{}", ticks, space, line, space, ticks);
}

std::string escaped_markdown(std::string_view text) {
  std::string out;
  for (const char c : on_one_line(text)) {
    if (std::string_view("\\`*_{}[]<>()#+-.!|~&").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

Status MarkdownExport::add(const store::ConversationRow& conversation) {
  json::object about = query::describe(library_, conversation);
  if (library_.mask != nullptr) library_.mask->mask(about);
  const std::string title = text_in(about, "title");
  if (!has_begun_) {
    write_("---\n");
    write_(fmt::format("title: {}\nconversation: {}\nformat: {}\nsession: {}\n", yaml(title),
                       yaml(conversation.cid.str()), yaml(text_in(about, "format")),
                       yaml(text_in(about, "session_id"))));
    if (const std::string project = text_in(about, "project"); !project.empty()) {
      write_(fmt::format("project: {}\n", yaml(project)));
    }
    if (conversation.created_at > 0) {
      write_(fmt::format("date: {}\n", yaml(to_iso8601(conversation.created_at))));
    }
    write_("---\n");
    has_begun_ = true;
  }
  write_(fmt::format("\n# {}\n", title.empty() ? "Untitled" : escaped_markdown(title)));
  return query::walk(library_, conversation, {.branch = options_.branch},
                     [this](const json::object& turn) { add_turn(turn); });
}

void MarkdownExport::add_turn(const json::object& turn) {
  const json::array& thoughts = turn.at("thoughts").as_array();
  if (thoughts.empty()) return;
  const json::object& first = thoughts.front().as_object();
  write_(fmt::format("\n## {} · turn {} · {} · {}\n", name_of(text_in(turn, "role")),
                     find_int(turn, "sequence").value_or(0),
                     to_iso8601(find_int(first, "created_at").value_or(0)),
                     inline_code(brief(text_in(first, "cid")))));
  for (const json::value& thought : thoughts) add_block(thought.as_object());
}

void MarkdownExport::add_block(const json::object& thought) {
  const json::object* content = find_object(thought, "content");
  const std::string type = text_in(thought, "type");
  const std::string_view kind = thought::kind_of(type);
  if (content == nullptr) return;
  if (kind == "thinking" || kind == "redacted_thinking") return add_thinking(*content);
  if (content->contains("$layers")) {
    ++sealed_;
    write_(fmt::format("\n*{}, sealed.*\n", escaped_markdown(kind)));
    return;
  }
  if (kind == "tool_request") return add_call(*content);
  if (kind == "tool_result") return add_result(*content);
  if (kind == "attachment") {
    const std::string name = text_in(*content, "name");
    write_(fmt::format("\n*Attachment {}*\n",
                       inline_code(name.empty() ? text_in(*content, "kind") : name)));
    return;
  }
  if (kind == "compaction")
    write_("\n*The conversation up to here was replaced by this summary:*\n");
  const std::string_view member = kind == "compaction" ? "summary" : "text";
  if (const auto text = find_string(*content, member)) {
    write_("\n" + quoted(*text));
  } else {
    write_(fmt::format("\n*A block of type {}*\n", inline_code(type)));
  }
}

void MarkdownExport::add_thinking(const json::object& content) {
  const auto reasoning = find_string(content, "reasoning");
  if (!options_.thinking) {
    ++thinking_left_out_;
    return;
  }
  if (!reasoning || reasoning->empty()) {
    ++sealed_;
    write_("\n*Thinking, which cannot be read here.*\n");
    return;
  }
  write_("\n<details><summary>Thinking</summary>\n\n" + quoted(*reasoning) + "\n</details>\n");
}

void MarkdownExport::add_call(const json::object& content) {
  const Edits edits = edits_of(content);
  const CallLine line = call_line(content, edits, std::nullopt);
  write_(fmt::format("\n**{}**{}\n", escaped_markdown(line.tool),
                     line.argument.empty() ? "" : " " + inline_code(line.argument)));
  if (!edits.empty()) {
    write_("\n" + fenced(as_diff(edits), "diff"));
    return;
  }
  const auto input = content.find("input");
  if (input == content.end()) return;
  write_("\n<details><summary>Arguments</summary>\n\n" +
         fenced(pretty_json(input->value()), "json") + "\n</details>\n");
}

void MarkdownExport::add_result(const json::object& content) {
  const CallResult result = call_result(content);
  const std::string outcome = outcome_text(result);
  write_(fmt::format("\n<details><summary>Result{}</summary>\n\n",
                     outcome.empty() ? "" : ", " + escaped_markdown(outcome)));
  write_(fenced(result.text));
  write_("\n</details>\n");
}

std::vector<std::string> MarkdownExport::notes() const {
  std::vector<std::string> notes;
  if (thinking_left_out_ > 0) {
    notes.push_back(fmt::format("{} of reasoning left out; include them with --thinking",
                                count(thinking_left_out_, "block")));
  }
  if (sealed_ > 0) {
    notes.push_back(
        fmt::format("{} that the keyring does not open, without content", count(sealed_, "block")));
  }
  return notes;
}

}  // namespace weft::cli

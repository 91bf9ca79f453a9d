// weft get: prints one thought.
#include <fmt/format.h>

#include <memory>

#include "weft/cli/app/command.hpp"
#include "weft/cli/render/figures.hpp"
#include "weft/cli/render/rendering.hpp"
#include "weft/cli/render/summary_line.hpp"
#include "weft/cli/render/text.hpp"
#include "weft/query/attest/witnessed.hpp"
#include "weft/query/trace/reasoning_summary.hpp"

namespace weft::cli {
namespace {

struct Options {
  std::string cid;
  bool sealed = false;
};

void print_fact(const Context& context, std::string_view name, std::string_view value) {
  context.print(context.style().paint(Colour::faint, fmt::format("{:<11}", name)));
  context.print(value);
  context.print("\n");
}

// Prints text as it is, and any other value as JSON.
std::string shown(const json::value& value) {
  return made_safe(value.is_string() ? std::string(view(value.get_string())) : pretty_json(value));
}

void print_member(const Context& context, std::string_view key, const json::value& value) {
  const std::string text = shown(value);
  const std::string name = on_one_line(key) + ":";
  const std::string label = context.style().paint(Colour::bold, name);
  const bool short_one = text.find('\n') == std::string::npos && display_width(text) <= 70;
  context.print(label + (short_one ? " " : "\n") + text + "\n");
}

// Bytes for programs: a provider's signature of reasoning, or reasoning that it encrypted.
bool is_opaque(std::string_view kind, std::string_view key, const json::value& value) {
  constexpr std::size_t kShortBytes = 200;
  const bool is_bytes =
      (kind == "thinking" && key == "signature") || (kind == "redacted_thinking" && key == "data");
  return is_bytes && value.is_string() && value.get_string().size() > kShortBytes;
}

void print_because(const Context& context, const query::Library& library,
                   const json::array& because) {
  std::string_view label = "because";
  for (const json::value& value : because) {
    const json::object* reference = value.if_object();
    const auto cid = reference != nullptr ? find_string(*reference, "thought_cid") : std::nullopt;
    if (!cid) continue;
    std::string line = context.style().link(Screen::thought, brief(*cid));
    if (const Result<Cid> parsed = Cid::parse(*cid)) {
      const Result<json::object> thought = query::get(library, *parsed, query::Layers::open);
      line += thought
                  ? fmt::format("  {}  {}", kind_of(*thought), fitted(summary_line(*thought), 60))
                  : std::string("  (not stored here)");
    }
    print_fact(context, label, line);
    label = "";
  }
}

// Names the summary of reasoning that cannot be read.
void print_summary(const Context& context, const query::Library& library,
                   const json::object& thought) {
  const Result<Cid> cid = Cid::parse(find_string(thought, "cid").value_or(""));
  if (!cid || !query::is_unread_reasoning(thought)) return;
  query::Foreigners foreigners(library);
  const auto summary = query::find_summary(library, *cid, foreigners);
  if (!summary || !*summary) return;
  print_fact(
      context, "summary",
      fmt::format(
          "{}  {}",
          context.style().link(Screen::thought, brief(find_string(**summary, "cid").value_or(""))),
          on_one_line(query::first_words(find_string(**summary, "text").value_or("")))));
}

// Where it stands: {conversation_cid, session_id, title, project, turn?, ordinal?}. Empty for what
// stands in no conversation: identities, schemas, connections.
json::object standing_of(const query::Library& library, const Cid& cid) {
  const Result<std::optional<query::Standing>> standing = query::find_standing(library, cid);
  if (!standing || !*standing) return {};
  return query::describe_standing(library, **standing).value_or(json::object());
}

void print_standing_of(const Context& context, const json::object& standing) {
  if (standing.empty()) return;
  std::string where = first_words(find_string(standing, "title").value_or("(untitled)"));
  where = fitted(where, 48) + "  " +
          context.style().link(Screen::conversation,
                               brief(find_string(standing, "conversation_cid").value_or("")));
  print_fact(context, "in", where);
  if (const auto project = find_string(standing, "project")) {
    print_fact(context, "project", on_one_line(*project));
  }
  if (const auto turn = find_int(standing, "turn")) {
    print_fact(context, "turn", std::to_string(*turn));
  }
}

void print_thought(const Context& context, const query::Library& library,
                   const json::object& thought, const json::object& standing) {
  Names names(library);
  const std::string_view kind = kind_of(thought);
  print_fact(context, "cid",
             context.style().link(Screen::thought, find_string(thought, "cid").value_or("")));
  print_fact(context, "type",
             context.style().paint(colour_of(kind), find_string(thought, "type").value_or("")));
  const std::string_view author = find_string(thought, "created_by").value_or("");
  print_fact(context, "created by", fmt::format("{}  {}", names.of(author), brief(author)));
  if (!foreign_sign(thought).empty()) {
    print_fact(context, "foreign", "‡ not by the owner of this keyring");
  }
  if (const json::object* witness = find_object(thought, query::kWitnessedMember)) {
    const Millis at = find_int(*witness, "at").value_or(0);
    print_fact(
        context, "witnessed",
        fmt::format("by weft record of {}, {}",
                    on_one_line(find_string(*witness, "by").value_or("")), local_date_time(at)));
  }
  print_fact(context, "created at", local_date_time(find_int(thought, "created_at").value_or(0)));
  print_standing_of(context, standing);
  if (const json::array* because = find_array(thought, "because")) {
    print_because(context, library, *because);
  }
  print_summary(context, library, thought);
  // The model did not sign: its words are attributed to it by the owner, who recorded them. Without
  // a keyring it is not known who that is.
  const bool is_owners = library.keyring != nullptr && foreign_sign(thought).empty();
  print_fact(context, "signature",
             is_owners ? "by the owner of this store" : "by the key of its creator");
  if (const json::array* notes = find_array(thought, "notes")) {
    for (const json::value& note : *notes) print_fact(context, "note", view(note.as_string()));
  }
  context.print("\n");
  const json::object* content = find_object(thought, "content");
  if (content == nullptr) return;
  for (const auto& member : *content) {
    const std::string_view key(member.key().data(), member.key().size());
    if (key == "$layers" && member.value().is_object()) {
      for (const auto& layer : member.value().get_object()) {
        context.print(context.style().paint(
            Colour::faint, fmt::format("({} layer: sealed, {})\n", std::string(layer.key()),
                                       byte_size(shown(layer.value()).size()))));
      }
    } else if (is_opaque(kind, key, member.value())) {
      print_member(context, key,
                   json::value(byte_size(member.value().get_string().size()) +
                               " of opaque data; --json prints it"));
    } else {
      print_member(context, key, member.value());
    }
  }
}

Answer get(const Context& context, const Options& options) {
  Outcome<Opened> opened = context.open_to_read();
  if (!opened) return refuse(std::move(opened));
  const query::PinnedLibrary library = opened->snapshot();
  Outcome<Cid> cid = thought_called(library, options.cid);
  if (!cid) return refuse(std::move(cid));
  const query::Layers layers = options.sealed ? query::Layers::as_stored : query::Layers::open;
  Result<json::object> thought = query::get(library, *cid, layers);
  if (!thought) return refuse(std::move(thought).error());
  if (context.json() || options.sealed) {
    context.print_json(*thought);
  } else {
    print_thought(context, library, *thought, standing_of(library, *cid));
  }
  return Exit::done;
}

Action prepare(Arguments& arguments) {
  auto options = std::make_shared<Options>();
  arguments.add("CID", options->cid, "CID of the thought", {.required = true});
  arguments.flag("--sealed", options->sealed,
                 "Print the stored, signed JSON with its layers sealed");
  return [options](Context& context) { return get(context, *options); };
}

}  // namespace

const Command& get_command() {
  static const Command command = {
      .name = "get",
      .group = Group::ask,
      .summary = "print one thought",
      .about =
          "Prints a thought: its content, its creator and time, and what caused it. Layers that\n"
          "the keyring can open are opened; the others are shown as sealed. With --sealed it\n"
          "prints the stored JSON, over which the CID and the signature are computed.",
      .examples =
          "weft get 3f2a91c0\n"
          "weft get 3f2a91c0 --json\n"
          "weft get 3f2a91c0 --sealed --keys metadata.json",
      .see_also = "weft why, weft connections, weft keys",
      .prepare = prepare,
  };
  return command;
}

}  // namespace weft::cli

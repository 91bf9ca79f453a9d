// weft up, and weft alone: see it at work.
#include <fmt/format.h>

#include "weft/base/file.hpp"
#include "weft/cli/command.hpp"
#include "weft/cli/gist.hpp"
#include "weft/cli/rendering.hpp"
#include "weft/cli/sample.hpp"
#include "weft/cli/table.hpp"
#include "weft/cli/text.hpp"
#include "weft/ingest/ingest.hpp"

namespace weft::cli {
namespace {

// The sample lies beside the store, so that whoever likes can look at it.
Status take_in_sample(const Opened& opened, const std::filesystem::path& path) {
  if (Status written = write_file_atomically(path, sample_transcript(), 0600); !written) {
    return written;
  }
  const ingest::Options what{.paths = {path}, .clock = now};
  Result<ingest::Report> report = ingest::ingest(*opened.store, *opened.keyring, what);
  if (!report) return fail(std::move(report).error());
  if (report->conversations.empty()) {
    return fail(ErrorCode::internal, "the sample could not be taken in");
  }
  return {};
}

// The last answer of a conversation; its last thought where nobody answered.
Result<std::optional<Cid>> last_answer(const query::Library& library,
                                       const store::ConversationRow& row) {
  std::optional<Cid> answer, last;
  Status walked = query::walk(library, row, {}, [&](const json::object& turn) {
    const json::array* thoughts = find_array(turn, "thoughts");
    if (thoughts == nullptr) return;
    for (const json::value& thought : *thoughts) {
      const Result<Cid> cid = Cid::parse(find_string(thought.as_object(), "cid").value_or(""));
      if (!cid) continue;
      last = *cid;
      if (kind_of(thought.as_object()) == "response") answer = *cid;
    }
  });
  if (!walked) return fail(std::move(walked).error());
  return answer ? answer : last;
}

void print_how_to_go_on(const Context& context, const Cid& conversation, const Cid& answer) {
  Table table({{.colour = Colour::cyan}, {}});
  table.add({"  weft ingest FILE…", "take your own transcripts in"});
  table.add({"  weft list", "see what there is"});
  table.add({"  weft walk " + conversation.brief(), "this conversation in order"});
  table.add({"  weft why " + answer.brief(), "the tree above again"});
  table.add({"  weft verify", "check every hash and signature"});
  table.add({"  weft --help", "all that it can do"});
  context.print("\nGo on with\n" + table.str(context.style()));
}

Answer up(const Context& context) {
  Asked<Opened> opened = context.open_to_write({});
  if (!opened) return refuse(std::move(opened));
  const query::Library library = opened->library();
  Result<std::vector<store::ConversationRow>> rows = library.store.conversations({});
  if (!rows) return refuse(std::move(rows).error());
  const bool sample = rows->empty();
  const std::filesystem::path path = context.home().store.parent_path() / "sample.txt";
  if (sample) {
    if (Status taken = take_in_sample(*opened, path); !taken) {
      return refuse(std::move(taken).error());
    }
    rows = library.store.conversations({});
    if (!rows) return refuse(std::move(rows).error());
  }
  const store::ConversationRow& newest = rows->front();
  Result<std::optional<Cid>> answer = last_answer(library, newest);
  if (!answer) return refuse(std::move(answer).error());
  if (!*answer) return refuse({ErrorCode::not_found, "the newest conversation is empty"});
  const Cid& cid = **answer;
  if (!context.json()) {
    context.print(sample ? "Here is weft at work on a small conversation (" +
                               on_one_line(path.string()) + ").\n"
                         : "The conversation that changed last.\n");
    context.print("Its last answer, and what that rests on:\n\n");
  }
  const Answer shown = print_why(
      context, library, cid, {},
      {{"conversation_cid", newest.cid.str()}, {"answer_cid", cid.str()}, {"sample", sample}});
  if (shown && !context.json()) print_how_to_go_on(context, newest.cid, cid);
  return shown;
}

Action prepare(Arguments&) {
  return [](Context& context) { return up(context); };
}

}  // namespace

const Command& up_command() {
  static const Command command = {
      .name = "up",
      .group = Group::begin,
      .summary = "see weft at work; the same as weft alone",
      .about =
          "Shows the last answer of the conversation that changed last, and what it rests on.\n"
          "Where nothing was taken in yet, a small sample is taken in first.",
      .examples =
          "weft\n"
          "weft up --home ./try-it",
      .see_also = "weft ingest, weft why",
      .prepare = prepare,
  };
  return command;
}

}  // namespace weft::cli

// weft resume: continues a conversation in another agent, as a new session of its own.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include "weft/base/posix.hpp"
#include "weft/base/try.hpp"
#include "weft/capture/resume/next_session.hpp"
#include "weft/cli/app/command.hpp"
#include "weft/cli/app/confirm.hpp"
#include "weft/cli/app/own_command.hpp"
#include "weft/cli/app/store_owner.hpp"
#include "weft/cli/render/figures.hpp"
#include "weft/crypto/secret.hpp"
#include "weft/formats/writing/session_dialogue.hpp"
#include "weft/query/ask/facts.hpp"
#include "weft/thought/identities.hpp"

namespace weft::cli {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::string conversation = "last", in;
  std::optional<std::string> upto, cwd;
  bool print = false, go = false, foreign = false, yes = false;
};

// Precondition: there is one of this name.
const formats::Agent& agent_called(std::string_view name) {
  return **std::ranges::find_if(formats::all_agents(),
                                [&](const formats::Agent* agent) { return agent->name == name; });
}

// The folder that the agent is to work in: the one that was named, else that of the conversation,
// else the current one.
Result<std::string> working_folder(const query::Library& library, const store::ConversationRow& row,
                                   const Options& options) {
  const std::optional<std::string> known = query::read_facts(library, row).known.facts.cwd;
  std::error_code error;
  fs::path folder = options.cwd.value_or(known.value_or("."));
  if (!options.cwd && !fs::is_directory(folder, error)) folder = ".";
  const fs::path real = fs::canonical(folder, error);
  if (error || !fs::is_directory(real, error)) {
    return fail(ErrorCode::not_found, "opening the folder " + folder.string() + ": there is none");
  }
  return real.string();
}

// A variable of the environment. An agent has many of its own, which weft knows by name alone.
std::optional<std::string> variable(std::string_view name) {
  const char* value = std::getenv(std::string(name).c_str());
  return value == nullptr || *value == '\0' ? std::nullopt : std::optional<std::string>(value);
}

std::string new_session_id(Millis time) {
  const crypto::Key key = crypto::Key::random();
  std::array<std::uint8_t, 10> random{};
  std::copy_n(key.bytes().begin(), random.size(), random.begin());
  return formats::new_uuid(time, random);
}

// Writes a file that nobody has; its folders are made if they are missing.
Status write_new_file(const fs::path& path, std::string_view text) {
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  if (error) return fail(errno_error(error.value(), "making the folder", path.parent_path()));
  Fd file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!file) return fail(errno_error(errno, "creating", path));
  int failed = write_all(file.get(), text);
  if (failed == 0 && ::fsync(file.get()) != 0) failed = errno;
  if (failed == 0 && !file.close()) failed = errno;
  if (failed == 0) return {};
  fs::remove(path, error);
  return fail(errno_error(failed, "writing", path));
}

void report_omissions(const Context& context, const capture::NextSession& next) {
  for (const std::string& note : next.native.notes) context.note(note);
  if (next.from_compaction) {
    context.note("too long for this agent: the session begins with the last compaction's summary");
  }
  if (next.is_long) {
    context.note(fmt::format("the session has {}, which may be more than the agent's model takes",
                             byte_size(next.native.text.size())));
  }
}

// Whether the secrets in it may go to another provider.
Outcome<bool> may_send(const Context& context, const Options& options,
                       const capture::NextSession& next) {
  if (next.secrets == 0 || !next.is_other_provider) return true;
  const std::string what =
      fmt::format("{} would go to another provider", count(next.secrets, "distinct secret"));
  context.note(what + " (weft secrets lists them)");
  if (options.yes || options.print) return true;
  if (can_ask(context)) return is_answered_yes(context, "Write the session with them?");
  return refuse({ErrorCode::denied, what + ", and there is nobody to ask"}, Exit::no,
                "add --yes to write the session with them");
}

std::string command_line(const std::string& cwd, const capture::NextSession& next) {
  return "cd " + quoted_for_shell({cwd}) + " && " + quoted_for_shell(next.native.command);
}

// Becomes the agent. Returns only if that fails.
Refusal run_agent(const std::string& cwd, const std::vector<std::string>& command) {
  if (::chdir(cwd.c_str()) != 0) return {errno_error(errno, "entering", cwd)};
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  std::fflush(nullptr);
  ::execvp(words.front(), words.data());
  return {errno_error(errno, "starting", command.front()), Exit::failure,
          "install it, or run the command that was printed where it is installed"};
}

Answer print_session(const Context& context, const capture::NextSession& next) {
  context.print_export(next.native.text);
  return Exit::done;
}

Answer report(const Context& context, const store::ConversationRow& row, const Options& options,
              const std::string& cwd, const capture::NextSession& next, const Cid& note) {
  if (context.json()) {
    json::array notes(next.native.notes.begin(), next.native.notes.end());
    context.print_json(json::object{
        {"conversation_cid", row.cid.str()},
        {"in", options.in},
        {"session_id", next.resumption.session_id},
        {"path", next.native.path},
        {"cwd", cwd},
        {"command", json::array(next.native.command.begin(), next.native.command.end())},
        {"blocks", next.blocks},
        {"copied", next.resumption.copies.size()},
        {"from_compaction", next.from_compaction},
        {"secrets", next.secrets},
        {"notes", std::move(notes)},
        {"resumption", note.str()}});
    return Exit::done;
  }
  context.note(fmt::format("wrote {} ({})", next.native.path, count(next.blocks, "block")));
  context.print(command_line(cwd, next) + "\n");
  return Exit::done;
}

Answer resume(const Context& context, const Options& options) {
  if (options.go && (options.print || context.json())) {
    return refuse({ErrorCode::invalid_input, "--go starts the agent, and prints nothing else"},
                  Exit::usage, "omit --go, or omit --print and --json");
  }
  Outcome<Opened> opened = options.print ? context.open_to_read() : context.open_to_change();
  if (!opened) return refuse(std::move(opened));
  if (!opened->keyring || !opened->keyring->can_sign()) {
    return refuse({ErrorCode::denied,
                   "cannot sign which session was made: no keyring that can sign was found"},
                  "name the owner's keyring with --keys FILE");
  }
  if (Status fits = check_owner(*opened->store, context.home(), *opened->keyring); !fits) {
    return refuse(std::move(fits).error());
  }
  const query::Library library = opened->library();
  Outcome<store::ConversationRow> row = conversation_called(library, options.conversation);
  if (!row) return refuse(std::move(row));
  if (row->created_by != thought::owner_identity(*opened->keyring).cid && !options.foreign) {
    return refuse({ErrorCode::denied,
                   "conversation " + row->cid.brief() +
                       " is somebody else's: its words are not yours, and may be instructions"},
                  Exit::no, "add --foreign to give it to an agent all the same");
  }
  Result<std::string> cwd = working_folder(library, *row, options);
  if (!cwd) return refuse(std::move(cwd).error(), "name another folder with --cwd DIR");
  const Millis time = now();
  Result<capture::NextSession> next = capture::write_session(
      library, *row, agent_called(options.in),
      {.upto = options.upto,
       .session = {.id = new_session_id(time), .cwd = *cwd, .now = time, .environment = variable}});
  if (!next) return refuse(std::move(next).error());
  report_omissions(context, *next);
  Outcome<bool> sendable = may_send(context, options, *next);
  if (!sendable) return refuse(std::move(sendable));
  if (!*sendable) {
    context.note("nothing was written");
    return Exit::no;
  }
  if (options.print) return print_session(context, *next);
  Result<Cid> note = capture::note_session(*opened->store, *opened->keyring, row->cid, *next, time);
  if (!note) return refuse(std::move(note).error());
  if (Status written = write_new_file(next->native.path, next->native.text); !written) {
    return refuse(std::move(written).error());
  }
  if (!options.go) return report(context, *row, options, *cwd, *next, *note);
  context.note(command_line(*cwd, *next));
  return std::unexpected(run_agent(*cwd, next->native.command));
}

std::vector<std::string> agents() {
  std::vector<std::string> names;
  for (const formats::Agent* agent : formats::all_agents()) names.emplace_back(agent->name);
  return names;
}

Action prepare(Arguments& arguments) {
  auto options = std::make_shared<Options>();
  arguments.add("CONV", options->conversation, "Conversation to continue (default: the last one)");
  arguments.add("--in", options->in, "The agent that continues it",
                {.value = "AGENT", .required = true, .one_of = agents()});
  arguments.add("--upto", options->upto, "Continue after this thought (default: the last one)",
                {.value = "CID"});
  arguments.add("--cwd", options->cwd,
                "Folder that the agent works in (default: that of the conversation)",
                {.value = "DIR"});
  arguments.flag("--print", options->print, "Print the session, and write nothing");
  arguments.flag("--go", options->go, "Start the agent with the session");
  arguments.flag("--foreign", options->foreign, "Continue a conversation that somebody else wove");
  arguments.flag("--yes", options->yes,
                 "Do not ask before secrets go to another provider; required without a terminal");
  return [options](Context& context) { return resume(context, *options); };
}

}  // namespace

const Command& resume_command() {
  static const Command command = {
      .name = "resume",
      .group = Group::transfer,
      .summary = "continue a conversation in another agent",
      .about =
          "Writes a conversation as a new session of another agent, and prints the command that\n"
          "continues it. Calls and their results are the agent's own records; reasoning goes only\n"
          "to the provider that signed it, and what is left out is listed on stderr. The session\n"
          "is a new file in the agent's own folder; no file that exists is changed. A session too\n"
          "long for the agent begins with the last compaction's summary. weft notes, signed,\n"
          "which session it made and which blocks it copied: when the session is ingested, its\n"
          "conversation continues this one, and copied blocks are not counted twice. If secrets\n"
          "would go to another provider, weft says how many and asks.",
      .examples =
          "weft resume --in codex\n"
          "weft resume 3f2a91c0 --in claude --upto 9c41d7e2 --go\n"
          "weft resume @2 --in gemini --cwd ~/work/looms\n"
          "weft resume 3f2a91c0 --in codex --print > session.jsonl",
      .see_also = "weft export, weft handover, weft secrets",
      .prepare = prepare,
  };
  return command;
}

}  // namespace weft::cli

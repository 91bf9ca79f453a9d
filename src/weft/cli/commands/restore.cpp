// weft restore: writes an ingested file back from the archive, byte for byte.
#include <memory>

#include "weft/cli/app/command.hpp"
#include "weft/cli/render/figures.hpp"
#include "weft/cli/render/out_file.hpp"
#include "weft/cli/render/text.hpp"
#include "weft/ingest/sources.hpp"

namespace weft::cli {
namespace {

struct Options {
  std::string what;
  std::optional<std::string> out;
  bool former = false, force = false;
};

// Tries the path of a file first: a path may look like anything, while names of conversations do
// not look like paths.
Result<ingest::Archived> find(const Opened& opened, const std::string& what) {
  Result<ingest::Archived> file = ingest::find_archived(*opened.store, *opened.keyring, what);
  if (file || file.error().code != ErrorCode::not_found) return file;
  Result<store::ConversationRow> row = query::resolve_conversation(opened.library(), what);
  if (row) return ingest::find_archived(*opened.store, *opened.keyring, row->cid);
  if (row.error().code != ErrorCode::not_found) return fail(std::move(row).error());
  return fail(ErrorCode::not_found, "no ingested file and no conversation has that name");
}

Answer restore(const Context& context, const Options& options) {
  if (context.json() && !options.out) {
    return refuse({ErrorCode::invalid_input, "with --json the file cannot go to stdout"},
                  Exit::usage, "name an output file with --out PATH");
  }
  Outcome<Opened> opened = context.open_to_read();
  if (!opened) return refuse(std::move(opened));
  if (!opened->keyring) {
    return refuse(
        {ErrorCode::denied, "cannot open the archive: it is sealed, and there is no keyring"},
        "name a keyring with --keys FILE");
  }
  Result<ingest::Archived> archived = find(*opened, options.what);
  if (!archived) {
    return refuse(std::move(archived).error(), "list the names with weft sources and weft list");
  }
  const ingest::Version version =
      options.former ? ingest::Version::former : ingest::Version::newest;
  std::uint64_t bytes = 0;
  const auto write_to = [&](std::FILE* stream) {
    return ingest::restore(
        *opened->store, *opened->keyring, *archived, version,
        [&](std::string_view piece) -> Status {
          bytes += piece.size();
          if (std::fwrite(piece.data(), 1, piece.size(), stream) == piece.size()) {
            return {};
          }
          return fail(ErrorCode::unavailable, "writing the restored file");
        });
  };
  if (!options.out) {
    if (Status status = write_to(context.out()); !status) return refuse(std::move(status).error());
    return Exit::done;
  }
  Result<OutFile> file =
      OutFile::create(*options.out, options.force ? Existing::replace : Existing::keep);
  if (!file) return refuse_file(std::move(file).error());
  if (Status status = write_to(file->stream()); !status) return refuse(std::move(status).error());
  if (Status done = file->commit(); !done) return refuse_file(std::move(done).error());
  if (context.json()) {
    context.print_json(json::object{{"file", archived->path},
                                    {"format", archived->format},
                                    {"bytes", bytes},
                                    {"out", *options.out}});
  } else {
    context.note("restored " + on_one_line(archived->path) + " (" + byte_size(bytes) + ") to " +
                 on_one_line(*options.out));
  }
  return Exit::done;
}

Action prepare(Arguments& arguments) {
  auto options = std::make_shared<Options>();
  arguments.add("SESSION|FILE", options->what, "A conversation, or the path of an ingested file",
                {.required = true});
  arguments.add("--out", options->out, "Write to this file (default: stdout)", {.value = "PATH"});
  arguments.flag("--force", options->force, "With --out: overwrite an existing file");
  arguments.flag("--former", options->former,
                 "The version before its tool rewrote it with less content");
  return [options](Context& context) { return restore(context, *options); };
}

}  // namespace

const Command& restore_command() {
  static const Command command = {
      .name = "restore",
      .group = Group::transfer,
      .summary = "restore an ingested file, byte for byte",
      .about =
          "Writes a file back from the sealed archive, byte for byte, whether the original still\n"
          "exists or not. Name it by its path, or by a conversation in it. Conversations from a\n"
          "database are restored as their records, one JSON line each. An existing file is\n"
          "overwritten only with --force; otherwise the exit code is 1.",
      .examples =
          "weft restore 3f2a90c1 --out session.jsonl\n"
          "weft restore ~/.claude/projects/-home-ada-weft/0b0e.jsonl > session.jsonl\n"
          "weft restore claude-code:0b0e --out session.jsonl --json",
      .see_also = "weft sources, weft export",
      .prepare = prepare,
  };
  return command;
}

}  // namespace weft::cli

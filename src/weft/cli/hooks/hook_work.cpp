#include "weft/cli/hooks/hook_work.hpp"

#include <unistd.h>

#include "weft/base/try.hpp"
#include "weft/capture/hooks/event.hpp"
#include "weft/capture/hooks/files.hpp"
#include "weft/capture/hooks/spool.hpp"
#include "weft/cli/app/detached.hpp"

namespace weft::cli {
namespace {

namespace fs = std::filesystem;

// An agent's description of a tool's answer can be long; the lines of a transcript may be longer,
// but come from the file.
constexpr std::size_t kMostBytes = 64u << 20;
constexpr std::chrono::milliseconds kPatience{1'000};

// Another process follows the sources, and ingests the file by itself.
bool is_followed(const Context& context, const SourceOptions& where) {
  const fs::path lock = lock_for(context, where);
  std::error_code failed;
  if (!fs::exists(lock, failed)) return false;
  const Result<FileLock> acquired = FileLock::try_acquire(lock);
  return !acquired && acquired.error().code == ErrorCode::unavailable;
}

std::string message_of(const Refusal& refusal) { return refusal.error.message; }

// Ingests the spooled files until there are no more. Reads the configuration each time, because
// this may take long.
Status ingest_all(const Context& context, const SourceOptions& where,
                  const capture::HookSpool& spool) {
  std::optional<Opened> opened;
  for (;;) {
    WEFT_TRY_VALUE(auto named, spool.take());
    if (named.empty()) return {};
    Outcome<ingest::Options> known = options_for(context, where, {});
    if (!known) return fail(ErrorCode::invalid_input, message_of(known.error()));
    std::vector<fs::path> files;
    for (const fs::path& file : named) {
      // It may have been deleted since.
      if (Result<fs::path> real = capture::hooked_file(*known, file)) files.push_back(*real);
    }
    if (!files.empty()) {
      if (!opened) {
        Outcome<Opened> outcome = context.open_to_write({});
        if (!outcome) return fail(outcome.error().error.code, message_of(outcome.error()));
        opened.emplace(*std::move(outcome));
      }
      const Result<ingest::Report> report =
          ingest::ingest(*opened->store, *opened->keyring, capture::hooked_options(*known, files));
      // The spooled files stay for the next attempt.
      if (!report) return fail(Error(report.error()));
    }
    WEFT_TRY(spool.finish(named));
  }
}

void work(const Context& context, const SourceOptions& where, const capture::HookSpool& spool,
          FileLock& waiting) {
  const capture::HookLog log(context.home().directory);
  Result<FileLock> running = spool.run();
  // From here on the next worker may wait: its files are spooled after this.
  {
    const FileLock done_waiting = std::move(waiting);
  }
  if (!running) return log.failed(now(), running.error().message);
  const Status done = ingest_all(context, where, spool);
  if (done) log.worked(now());
  else log.failed(now(), done.error().message);
}

}  // namespace

Status answer_hook(const Context& context, const SourceOptions& where) {
  WEFT_TRY_VALUE(auto event, capture::read_hook_event(STDIN_FILENO, kMostBytes, kPatience));
  if (is_followed(context, where)) return {};
  Outcome<ingest::Options> known = options_for(context, where, {});
  if (!known) return fail(ErrorCode::invalid_input, message_of(known.error()));
  std::optional<Error> refused;
  std::vector<fs::path> files;
  for (const fs::path& file : event.files) {
    Result<fs::path> real = capture::hooked_file(*known, file);
    if (real) files.push_back(*std::move(real));
    else refused = std::move(real).error();
  }
  if (files.empty()) return fail(*std::move(refused));
  WEFT_TRY(make_home(context.home()));
  const capture::HookSpool spool(context.home().directory);
  for (const fs::path& file : files) {
    WEFT_TRY(spool.put(file));
  }
  Result<FileLock> waiting = spool.try_wait();
  if (!waiting && waiting.error().code == ErrorCode::unavailable)
    return {};  // another worker will ingest it
  if (!waiting) return fail(std::move(waiting).error());
  Status started =
      do_detached([&] { work(context, where, spool, *waiting); }, waiting->descriptor());
  if (!started) return started;
  if (refused) return fail(*std::move(refused));
  return {};
}

}  // namespace weft::cli

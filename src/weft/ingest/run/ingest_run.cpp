#include "weft/ingest/run/ingest_run.hpp"

#include <numeric>

#include "weft/base/try.hpp"
#include "weft/ingest/run/read_sources.hpp"
#include "weft/ingest/run/source_rules.hpp"
#include "weft/ingest/source/broken_head.hpp"
#include "weft/ingest/source/database_file.hpp"
#include "weft/ingest/source/packed_file.hpp"

namespace weft::ingest {
namespace {

namespace fs = std::filesystem;

constexpr int kMaxRounds = 8;  // for files whose conversations another writer changes, too
constexpr std::string_view kNotAllowed = "may not be read: it lies outside of what is allowed";
// The conversation of the file is in a database, too.
constexpr std::string_view kMirror = "mirror";

// The name of a source, however the file was named.
std::string real_path(const fs::path& path) {
  std::error_code failed;
  const fs::path real = fs::weakly_canonical(path, failed);
  return failed ? path.lexically_normal().string() : real.string();
}

bool may_read(const Options& options, const SourceFile& file) {
  if (!options.may_read) return true;
  const Result<fs::path> real = file.real_path();
  return real && options.may_read(*real);
}

// The folder whose files are parts of the conversation that a file stands for; empty if the
// file is a conversation by itself.
fs::path tree_folder(const formats::Adapter& adapter, const std::string& path) {
  const std::string folder = adapter.tree == nullptr ? "" : adapter.tree->folder(path);
  return folder.empty() ? fs::path() : fs::path(path).parent_path() / folder;
}

// Handles a file that was ingested before: reports it as unchanged or unwanted, or reads what was
// appended. False if it has to be read whole.
bool resume_known(RunContext& run, const OpenedFile& opened, const SourceDescription& about) {
  const ListedFile& listed = opened.listed;
  const formats::Adapter* adapter = formats::find_adapter(about.format);
  if (is_in_database(run, adapter, opened.path)) {
    run.report.skip(listed.shown(), 0, std::string(kMirror));
    return true;
  }
  if (!is_selected(run, listed, {about.format, opened.path, about.project})) return true;
  if (adapter != nullptr) {
    if (const fs::path folder = tree_folder(*adapter, opened.path); !folder.empty()) {
      opened.file.follow(folder);
    }
  }
  if (listed.is_reread) return false;
  if (skip_unchanged(run, opened, about)) return true;
  return read_appended(run, opened,
                       {about.format, opened.path, project_of(opened.file, *opened.known, about)});
}

// The format of the folder in which the file lies, if it recognises lines behind broken ones, whose
// beginning is then in `readable`; else null.
const formats::Adapter* find_behind_broken(const RunContext& run, const OpenedFile& opened,
                                           std::string_view head, std::string& readable) {
  const formats::Adapter* adapter =
      opened.listed.adapter != nullptr ? opened.listed.adapter : adapter_of_place(opened.path);
  if (run.options.format || adapter == nullptr || ignore_reason(run.options, opened.path)) {
    return nullptr;
  }
  if (adapter->recognises(head) != formats::Confidence::no) return nullptr;
  Result<std::optional<std::string>> found = find_readable_part(opened.file, *adapter);
  if (!found || !*found) return nullptr;
  readable = **std::move(found);
  return adapter;
}

}  // namespace

Result<Report> IngestRun::run() {
  files_ = list_files(run_);
  std::vector<std::size_t> numbers(files_.size());
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  for (int round = 0; !numbers.empty(); ++round) {
    if (round == kMaxRounds) {
      return fail(ErrorCode::conflict,
                  "other writers keep changing the same conversations; try again");
    }
    run_.report.begin_round(round);
    WEFT_TRY(read_files(numbers));
    if (run_.report.is_stopped()) break;
    // Woven on a state that another writer changed meanwhile: read again, on the new one.
    numbers = run_.queue.take_conflicts();
  }
  return run_.report.take(run_.queue.new_thoughts());
}

Status IngestRun::read_files(const std::vector<std::size_t>& numbers) {
  for (const std::size_t number : numbers) {
    if (run_.is_stopped()) break;
    read_file(files_[number]);
    if (std::optional<Error> failure = run_.queue.failure()) return fail(*std::move(failure));
  }
  run_.queue.send();
  run_.queue.drain();
  if (std::optional<Error> failure = run_.queue.failure()) return fail(*std::move(failure));
  return {};
}

void IngestRun::read_file(const ListedFile& file) {
  if (file.archived) {
    read_archived(run_, file);
  } else if (Result<SourceFile> opened = SourceFile::open(file.path); !opened) {
    run_.report.skip(file.shown(), 0, opened.error().message);
  } else if (may_read(run_.options, *opened)) {
    read_opened(file, *opened);
  } else {
    run_.report.skip(file.shown(), 0, std::string(kNotAllowed));
  }
  run_.report.finish_file();
}

void IngestRun::read_opened(const ListedFile& listed, SourceFile& file) {
  const std::string shown = listed.shown();
  const std::string path = real_path(listed.path);
  Result<std::optional<store::Source>> known = find_known(run_, path, file.state());
  if (!known) return run_.report.skip(shown, 0, known.error().message);
  const OpenedFile opened{listed, file, path, *std::move(known)};

  const formats::Adapter* adapter = nullptr;
  if (opened.known) {
    const Result<SourceDescription> about = open_description(run_.keyring, *opened.known);
    const bool is_forced = run_.options.format && about && about->format != *run_.options.format;
    if (about && !is_forced) {
      if (resume_known(run_, opened, *about)) return;
      // A file that is read again keeps its format.
      if (listed.is_reread) adapter = formats::find_adapter(about->format);
    }
  }
  const Result<std::string> bytes = file.read_at(0, formats::kHeadBytes + 3);  // 3: the BOM's
  if (!bytes) return run_.report.skip(shown, 0, bytes.error().message);
  if (bytes->empty()) return run_.report.skip(shown, 0, "the file is empty");
  if (is_zip(*bytes)) return read_zip(run_, opened);
  if (is_packed(*bytes)) return read_packed(run_, opened);
  if (is_database(*bytes)) return read_database(run_, opened);

  std::string_view head = formats::head_of(*bytes);
  std::string readable;
  if (adapter == nullptr) adapter = find_behind_broken(run_, opened, head, readable);
  if (!readable.empty()) head = formats::head_of(readable);
  if (adapter == nullptr) {
    const Result<const formats::Adapter*> chosen = choose_adapter(run_.options, listed, head);
    if (!chosen) {
      const auto reason = ignore_reason(run_.options, path);
      return run_.report.skip(shown, 0, reason.value_or(chosen.error().message));
    }
    adapter = *chosen;
  }
  if (const auto reason = ignore_reason(run_.options, *adapter, path)) {
    return run_.report.skip(shown, 0, *reason);
  }
  if (is_in_database(run_, adapter, path)) {
    return run_.report.skip(shown, 0, std::string(kMirror));
  }
  SourceDescription about{.format = std::string(adapter->name), .path = path, .project = {}};
  if (adapter->project != nullptr) about.project = adapter->project(path, head);
  if (!is_selected(run_, listed, about)) return;
  if (const fs::path folder = tree_folder(*adapter, path); !folder.empty()) {
    file.follow(folder);
    return read_tree(run_, opened, *adapter, about);
  }
  read_whole(run_, opened, *adapter, about, head);
}

}  // namespace weft::ingest

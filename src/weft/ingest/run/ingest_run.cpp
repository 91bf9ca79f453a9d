#include "weft/ingest/run/ingest_run.hpp"

#include <algorithm>

#include "weft/base/file.hpp"
#include "weft/weave/weave_version.hpp"

namespace weft::ingest {
namespace {

namespace fs = std::filesystem;

constexpr int kMaxRounds = 8;  // for files that another writer was at too
// Of files that a transcript refers to and that its tool keeps beside it.
constexpr std::size_t kMaxBesideBytes = 16u << 20;
// Of a file whose conversation a database tells.
constexpr std::string_view kMirror = "mirror";

// By which a file is known, however it was named.
std::string real_path(const fs::path& path) {
  std::error_code failed;
  const fs::path real = fs::weakly_canonical(path, failed);
  return failed ? path.lexically_normal().string() : real.string();
}

// What lies below `directory` or as many folders above it as `reach` says, and nowhere else
// whatever links there are.
std::optional<fs::path> find_beside(const fs::path& directory, std::string_view relative,
                                    int reach) {
  std::error_code failed;
  const fs::path root = fs::canonical(directory, failed);
  if (failed) return std::nullopt;
  fs::path above = root;
  // Whatever happens, not all files.
  for (int i = 0; i < reach && above.parent_path().string().size() > 1; ++i) {
    above = above.parent_path();
  }
  fs::path path = fs::canonical(root / relative, failed);
  const bool is_below = !failed && path.string().starts_with(above.string() + "/");
  if (above.string().size() <= 1 || !is_below) return std::nullopt;
  return path;
}

using MayRead = std::function<bool(const fs::path& real)>;

std::optional<std::string> read_beside(const fs::path& directory, std::string_view relative,
                                       int reach, const MayRead& may_read) {
  const std::optional<fs::path> path = find_beside(directory, relative, reach);
  if (!path) return std::nullopt;
  Result<SourceFile> file = SourceFile::open(*path);
  if (file && may_read) {
    const Result<fs::path> real = file->real_path();
    if (!real || !may_read(*real)) return std::nullopt;
  }
  if (!file || file->state().size > kMaxBesideBytes) return std::nullopt;
  Result<std::string> text = file->read_at(0, file->state().size);
  if (!text) return std::nullopt;
  return *std::move(text);
}

std::vector<std::string> list_files_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code failed;
  fs::directory_iterator entries(folder, failed);
  for (; !failed && entries != fs::directory_iterator(); entries.increment(failed)) {
    std::error_code ignored;
    if (entries->is_regular_file(ignored)) names.push_back(entries->path().filename().string());
  }
  std::ranges::sort(names);
  return names;
}

// The folder whose files are parts of the conversation that a file stands for; empty if the
// file is a conversation by itself.
fs::path tree_folder(const formats::Adapter& adapter, const std::string& path) {
  const std::string folder = adapter.tree == nullptr ? "" : adapter.tree->folder(path);
  return folder.empty() ? fs::path() : fs::path(path).parent_path() / folder;
}

}  // namespace

IngestRun::IngestRun(store::Store& store, const crypto::Keyring& keyring, const Options& options)
    : options_(options),
      store_(store),
      keyring_(keyring),
      identities_(keyring, options.human),
      seal_(keyring),
      known_web_(store,
                 [this] {
                   send();
                   pipeline_.drain();
                 }),
      pipeline_(store, seal_, {.keyring = &keyring, .index_sealed = options.index_sealed},
                options.at_once,
                [this](const CommitJob& job, const Result<store::Committed>& committed) {
                  arrived(job, committed);
                }) {}

Result<Report> IngestRun::take_all() {
  list_files();
  std::vector<std::size_t> files(files_.size());
  for (std::size_t i = 0; i < files.size(); ++i) files[i] = i;
  for (int round = 0; !files.empty(); ++round) {
    if (round == kMaxRounds) {
      return fail(ErrorCode::conflict,
                  "other writers keep changing the same conversations; try again");
    }
    first_round_ = round == 0;
    for (const std::size_t file : files) {
      if (stops()) break;
      take_file(file);
      if (std::optional<Error> failure = pipeline_.failure()) return fail(*std::move(failure));
    }
    send();
    pipeline_.drain();
    if (std::optional<Error> failure = pipeline_.failure()) return fail(*std::move(failure));
    if (report_.stopped) break;
    // CommitUnit on a state that another writer changed meanwhile: once more, on the new one.
    files = std::exchange(again_, {});
    std::ranges::sort(files);
    const auto rest = std::ranges::unique(files);
    files.erase(rest.begin(), rest.end());
  }
  return finished_report();
}

bool IngestRun::stops() {
  if (options_.stop.stop_requested()) report_.stopped = true;
  return report_.stopped;
}

void IngestRun::list_files() {
  const formats::Adapter* forced =
      options_.format ? formats::find_adapter(*options_.format) : nullptr;
  std::vector<Folder> folders = options_.folders;
  for (const fs::path& path : options_.paths) {
    std::error_code failed;
    if (fs::is_directory(path, failed)) {
      folders.push_back({forced, path});
      continue;
    }
    const std::uintmax_t size = fs::file_size(path, failed);
    if (!failed) progress_.bytes_total += size;
    files_.push_back({.path = path, .is_named = true});
  }
  for (const store::Source& source : options_.archived) {
    const Result<About> about = open_about(keyring_, source);
    progress_.bytes_total += source.archived;
    files_.push_back({.path = about ? about->path : "", .archived = source});
  }
  Finds finds = find_files(folders);
  if (!options_.found.empty()) {
    finds.files.insert(finds.files.end(), options_.found.begin(), options_.found.end());
    put_in_order(finds.files);
  }
  for (const Found& found : finds.files) {
    progress_.bytes_total += found.size;
    files_.push_back({.path = found.path, .adapter = found.adapter, .is_reread = found.is_reread});
  }
  for (Left& left : finds.left) skip(left.path.string(), 0, std::move(left.reason));
  progress_.files_total = files_.size();
}

void IngestRun::take_file(std::size_t number) {
  const File& wanted = files_[number];
  if (wanted.archived) {
    take_archived(number);
  } else if (Result<SourceFile> file = SourceFile::open(wanted.path); !file) {
    skip(wanted.path.string(), 0, file.error().message);
  } else if (may_read(*file)) {
    choose(number, *file);
  } else {
    skip(wanted.path.string(), 0, std::string(kNotAllowed));
  }
  if (first_round_) ++progress_.files;
  report_progress(0);
}

bool IngestRun::may_read(const SourceFile& file) const {
  if (!options_.may_read) return true;
  const Result<fs::path> real = file.real_path();
  return real && options_.may_read(*real);
}

void IngestRun::choose(std::size_t number, SourceFile& file) {
  const File& wanted = files_[number];
  const std::string path = real_path(wanted.path);
  const std::string shown = wanted.path.string();
  Result<std::optional<store::Source>> known = find_known(path, file.state());
  if (!known) return skip(shown, 0, known.error().message);
  const formats::Adapter* before = nullptr;  // by which it was read, where that counts
  if (*known) {
    const Result<About> about = open_about(keyring_, **known);
    const bool other_format = options_.format && about && about->format != *options_.format;
    if (about && !other_format) {
      if (is_in_database(formats::find_adapter(about->format), path)) {
        return skip(shown, 0, std::string(kMirror));
      }
      if (!is_wanted(wanted, {about->format, path, about->project})) return;
      if (const formats::Adapter* adapter = formats::find_adapter(about->format)) {
        if (wanted.is_reread) before = adapter;
        if (const fs::path folder = tree_folder(*adapter, path); !folder.empty()) {
          file.follow(folder);
        }
      }
      if (!wanted.is_reread && is_unchanged(**known, file.state(), shown)) {
        if (about->path != path)
          note_new_name(number, **known, {about->format, path, about->project});
        return;
      }
      if (!wanted.is_reread &&
          take_growth(number, file, **known,
                      {about->format, path, project_now(file, **known, *about)})) {
        return;
      }
    }
  }
  Result<std::string> head = file.read_at(0, formats::kHeadBytes + 3);  // and a byte order mark
  if (!head) return skip(shown, 0, head.error().message);
  if (head->empty()) return skip(shown, 0, "the file is empty");
  if (is_zip(*head)) return take_zip(number, path, file, *known);
  if (is_packed(*head)) return take_packed(number, path, file, *known);
  if (is_database(*head)) return take_database(number, path, file.state());
  const std::string_view begins = formats::head_of(*head);
  Result<const formats::Adapter*> adapter = before;
  if (before == nullptr) adapter = choose_adapter(wanted, begins);
  if (!adapter) return skip(shown, 0, why_unknown(path).value_or(adapter.error().message));
  if (const auto reason = why_left(**adapter, path)) return skip(shown, 0, *reason);
  if (is_in_database(*adapter, path)) return skip(shown, 0, std::string(kMirror));
  About about{.format = std::string((*adapter)->name), .path = path, .project = {}};
  if ((*adapter)->project != nullptr) about.project = (*adapter)->project(path, begins);
  if (!is_wanted(wanted, about)) return;
  if (const fs::path folder = tree_folder(**adapter, path); !folder.empty()) {
    file.follow(folder);
    return take_tree(number, file, *known, **adapter, std::move(about));
  }
  take_whole(number, file, *known, **adapter, std::move(about), begins);
}

std::string IngestRun::project_now(const SourceFile& file, const store::Source& known,
                                   const About& about) const {
  const formats::Adapter* adapter = formats::find_adapter(about.format);
  if (adapter == nullptr || adapter->project == nullptr || known.archived >= formats::kHeadBytes) {
    return about.project;
  }
  const Result<std::string> head = file.read_at(0, formats::kHeadBytes + 3);
  if (!head) return about.project;
  return adapter->project(about.path, formats::head_of(*head));
}

std::optional<std::string> IngestRun::why_left(const formats::Adapter& adapter,
                                               std::string_view path) const {
  if (options_.format || adapter.ignore_reason == nullptr) return std::nullopt;
  return adapter.ignore_reason(path);
}

std::optional<std::string> IngestRun::why_unknown(std::string_view path) const {
  for (const formats::Adapter* adapter : formats::all_adapters()) {
    if (auto reason = why_left(*adapter, path)) return reason;
  }
  return std::nullopt;
}

bool IngestRun::is_in_database(const formats::Adapter* adapter, const std::string& path) const {
  return in_databases_.contains({adapter, fs::path(path).stem().string()});
}

Result<const formats::Adapter*> IngestRun::choose_adapter(const File& file,
                                                          std::string_view head) const {
  if (options_.format) {
    const formats::Adapter* adapter = formats::find_adapter(*options_.format);
    if (adapter != nullptr) return adapter;
    return fail(ErrorCode::invalid_input, "there is no format " + *options_.format);
  }
  // In a tool's own folder its format is taken where it could be it at all.
  if (file.adapter != nullptr && file.adapter->recognises(head) != formats::Confidence::no) {
    return file.adapter;
  }
  return formats::recognise(head);
}

bool IngestRun::is_wanted(const File& file, const About& about) {
  Selection selection = options_.selection;
  if (file.is_named) selection.include.clear();
  if (file.is_named && !options_.excludes_named) selection.exclude.clear();
  const std::string_view reason = selection.refuses(about.path, about.project);
  if (!reason.empty()) skip(file.path.string(), 0, std::string(reason));
  return reason.empty();
}

Result<std::optional<store::Source>> IngestRun::find_known(const std::string& path,
                                                           const FileState& state) {
  Result<std::optional<store::Source>> known = store_.find_source(seal_.key(path));
  if (!known || *known) return known;
  Result<std::vector<store::Source>> same = store_.find_file(state.device, state.inode);
  if (!same) return fail(std::move(same).error());
  for (store::Source& source : *same) {
    const Result<About> about = open_about(keyring_, source);
    std::error_code ignored;
    const bool renamed = about && (about->path == path || !fs::exists(about->path, ignored));
    if (renamed && state.size >= source.archived) return std::move(source);
  }
  return std::nullopt;
}

IngestRun::SourceProgress IngestRun::begin(std::size_t number,
                                           const std::optional<store::Source>& known,
                                           About about) const {
  SourceProgress taking{.file = number, .source = {}, .about = std::move(about)};
  if (known) {
    taking.keeps_nothing = keeps_nothing(*known);
    taking.source = *known;
    taking.source.generation += known->archived > 0 ? 1 : 0;
  } else {
    taking.source.key = seal_.key(taking.about.path);
  }
  taking.source.format = taking.about.format;
  taking.source.offset = taking.source.lines = taking.source.archived = 0;
  taking.source.about = seal_.seal_about(taking.source.key, taking.about);
  taking.source.state.clear();
  const formats::Adapter* adapter = formats::find_adapter(taking.about.format);
  taking.source.adapter_version = adapter == nullptr ? 0 : adapter->version;
  taking.source.weave_version = weave::kWeaveVersion;
  return taking;
}

formats::SourceInfo IngestRun::info_of(const std::string& path, const std::string& project,
                                       const formats::Adapter& adapter) const {
  const int reach = adapter.reach;
  const fs::path where(path);
  const fs::path directory = where.parent_path();
  return {.name = where.filename().string(),
          .model = options_.model,
          .directory = directory.string(),
          .project = project,
          .beside =
              [=, this](std::string_view relative) {
                return read_beside(directory, relative, reach, options_.may_read);
              },
          .has_beside =
              [=, this](std::string_view relative) {
                const std::optional<fs::path> found = find_beside(directory, relative, reach);
                std::error_code failed;
                const bool may = found && (!options_.may_read || options_.may_read(*found));
                return may && fs::is_regular_file(*found, failed);
              },
          .list =
              [=, this](std::string_view relative) {
                const std::optional<fs::path> found = find_beside(directory, relative, reach);
                const bool may = found && (!options_.may_read || options_.may_read(*found));
                return may ? list_files_in(*found) : std::vector<std::string>();
              }};
}

}  // namespace weft::ingest

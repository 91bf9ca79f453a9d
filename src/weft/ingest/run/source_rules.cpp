#include "weft/ingest/run/source_rules.hpp"

#include "weft/base/try.hpp"
#include "weft/ingest/source/beside_files.hpp"
#include "weft/ingest/sources.hpp"

namespace weft::ingest {
namespace fs = std::filesystem;

Result<const formats::Adapter*> choose_adapter(const Options& options, const ListedFile& file,
                                               std::string_view head) {
  if (options.format) {
    const formats::Adapter* adapter = formats::find_adapter(*options.format);
    if (adapter != nullptr) return adapter;
    return fail(ErrorCode::invalid_input, "unknown format " + *options.format);
  }
  if (file.adapter != nullptr && file.adapter->recognises(head) != formats::Confidence::no) {
    return file.adapter;
  }
  return formats::recognise(head);
}

std::optional<std::string> ignore_reason(const Options& options, const formats::Adapter& adapter,
                                         std::string_view path) {
  if (options.format || adapter.ignore_reason == nullptr) return std::nullopt;
  return adapter.ignore_reason(path);
}

std::optional<std::string> ignore_reason(const Options& options, std::string_view path) {
  for (const formats::Adapter* adapter : formats::all_adapters()) {
    if (auto reason = ignore_reason(options, *adapter, path)) return reason;
  }
  return std::nullopt;
}

bool is_selected(RunContext& run, const ListedFile& file, const SourceDescription& about) {
  Selection selection = run.options.selection;
  if (file.is_named) selection.include.clear();
  if (file.is_named && !run.options.excludes_named) selection.exclude.clear();
  const std::string_view reason = selection.refuses(about.path, about.project);
  if (!reason.empty()) run.report.skip(file.shown(), 0, std::string(reason));
  return reason.empty();
}

bool is_in_database(const RunContext& run, const formats::Adapter* adapter,
                    const std::string& path) {
  return run.in_databases.contains({adapter, fs::path(path).stem().string()});
}

Result<std::optional<store::Source>> find_known(const RunContext& run, const std::string& path,
                                                const FileState& state) {
  Result<std::optional<store::Source>> known = run.store.sources().find(run.seal.key(path));
  if (!known || *known) return known;
  WEFT_TRY_VALUE(auto same, run.store.sources().find_by_inode(state.device, state.inode));
  for (store::Source& source : same) {
    const Result<SourceDescription> about = open_description(run.keyring, source);
    std::error_code ignored;
    const bool renamed = about && (about->path == path || !fs::exists(about->path, ignored));
    if (renamed && state.size >= source.archived) return std::move(source);
  }
  return std::nullopt;
}

std::string project_of(const SourceFile& file, const store::Source& known,
                       const SourceDescription& about) {
  const formats::Adapter* adapter = formats::find_adapter(about.format);
  if (adapter == nullptr || adapter->project == nullptr || known.archived >= formats::kHeadBytes) {
    return about.project;
  }
  const Result<std::string> head = file.read_at(0, formats::kHeadBytes + 3);
  if (!head) return about.project;
  return adapter->project(about.path, formats::head_of(*head));
}

formats::SourceInfo source_info(const Options& options, const std::string& path,
                                const std::string& project, const formats::Adapter& adapter) {
  const fs::path where(path);
  const BesideFiles beside(where.parent_path(), adapter.reach, options.may_read);
  return {.name = where.filename().string(),
          .model = options.model,
          .directory = where.parent_path().string(),
          .project = project,
          .beside = [beside](std::string_view relative) { return beside.read(relative); },
          .has_beside = [beside](std::string_view relative) { return beside.has(relative); },
          .list = [beside](std::string_view relative) { return beside.list(relative); }};
}

formats::SourceInfo archived_info(const Options& options, const SourceDescription& about,
                                  const formats::Adapter& adapter) {
  const std::string file = file_of(about.path);
  formats::SourceInfo info = source_info(options, file, about.project, adapter);
  if (file != about.path) info.name = about.path.substr(file.size() + 1);
  return info;
}

bool is_archived_as_lines(const formats::Adapter& adapter, const std::string& path) {
  const bool is_tree = adapter.tree != nullptr && !adapter.tree->folder(path).empty();
  return is_tree || file_of(path) != path;
}

}  // namespace weft::ingest
